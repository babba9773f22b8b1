/**
 * Names that people could mistake for the service itself or for an authority over them, so that no one pays "support"
 * because it sounds official. Compared by skeleton: `supp0rt` and `sup-port` are reserved too, but `5upport` is not.
 */
const RESERVED = `
  abuse account accounts admin administrator agent agents api audit billing board ceo compliance contact customer
  customercare customerservice dashboard deposit deposits dev developer developers docs email escrow eth ether ethereum
  everyone exchange faucet fees finance founder fraud halcyon help helpdesk hostmaster info invoice invoices kyc ledger
  legal live mail me mod moderator money network noc noreply notifications null official owner password pay payment
  payments payout payouts postmaster privacy refund refunds relayer robinhood root sales security service settings signin
  signup staff status sudo superuser support sysadmin system team terms test tokens transfer transfers treasury trust
  undefined usdc usdg usdt verify verified vault wallet webhook webhooks webmaster withdraw www
`;
const SKELETONS = new Set(RESERVED.trim().split(/\s+/).map(skeletonOf));

/**
 * Reduces a handle to how it looks at a glance: `l`, `1` and `i` become one letter, `o` and `0` too, and `-` and `_`
 * are dropped. Two handles with the same skeleton are easily confused. The index `accounts_look_alike` computes the
 * same.
 *
 * @param handle as it is stored: lower case, without `@`
 * @example skeletonOf("a1ice-0") // "allceo"
 */
export function skeletonOf(handle: string): string {
  return handle.replace(/[1i]/g, "l").replace(/0/g, "o").replace(/[-_]/g, "");
}

/**
 * Reports whether a handle is reserved because it sounds like the service. Domain handles are exempt: DNS shows whose
 * they are.
 */
export function isReservedHandle(handle: string): boolean {
  const skeleton = skeletonOf(handle);
  return SKELETONS.has(skeleton) || skeleton.includes(skeletonOf("halcyon"));
}
