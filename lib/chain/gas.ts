/**
 * Gas limits by kind of operation. The gas that a call uses is in contracts/snapshots; the rest is room for the L1 data
 * that Arbitrum chains charge as gas. Unused gas is not paid for.
 */
export const GAS_LIMIT = {
  enroll: 600_000n,
  set_payment_key: 400_000n,
  set_policy: 600_000n,
  set_guarded: 300_000n,
  set_agent_signer: 2_000_000n, // for up to 50 agents
  abandon: 400_000n,
  enroll_agent: 600_000n,
  deposit: 600_000n,
  make_available: 1_200_000n,
  transfer: 900_000n,
  release: 900_000n,
  fund: 900_000n,
  spend: 1_000_000n,
  spend_public: 1_000_000n,
  transfer_many: 1_800_000n,
  mint: 300_000n,
  return_unclaimed: 300_000n,
  gas: 100_000n,
} as const;

/**
 * The gas that a contract wallet may use to check a signature (ERC-1271). Added to the limit of calls that involve one.
 */
export const CONTRACT_WALLET_GAS = 1_000_000n;

/**
 * Returns the gas limit of an operation.
 *
 * @param byContract whether a contract wallet checks its signature
 */
export function gasLimit(kind: keyof typeof GAS_LIMIT, byContract = false): bigint {
  return GAS_LIMIT[kind] + (byContract ? CONTRACT_WALLET_GAS : 0n);
}
