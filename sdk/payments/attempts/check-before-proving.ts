import { type Address, isAddressEqual } from "viem";
import { formatAmount } from "@/lib/base/money";
import type { Party } from "../../account/party";
import { HalcyonError } from "../../api/errors";
import type { Asset } from "../../api/network-info";
import type { DryRun } from "../../api/resources/transfers";
import type { Context } from "../../context/context";
import type { PendingPayment } from "./pending-payment";

/** What is about to be proved and signed, as far as the service may know it. */
export interface Intent {
  act: "payment" | "withdrawal" | "approval" | "make_available" | "deposit";
  payer: Pick<Party, "address" | "query">;
  asset: Asset;
  /** The recipient and kind of payment; not set for a move to the available balance or a deposit. */
  payment?: { to: { address: Address }; kind: PendingPayment["kind"]; seller?: Address | null };
  /** Whether the API key sends it, not the session. */
  byKey?: boolean;
}

/** Asks the service, over the session, about everything but the amount. */
async function askService(context: Context, { act, payer, asset, payment }: Intent): Promise<void> {
  const to = payment && {
    to: (payment.seller ?? payment.to.address).toLowerCase(),
    confidential: payment.kind !== "release",
    ...(payment.seller && { exact: true }),
  };
  const session = await context.session();
  await session.post("/api/transfers/check", { act, asset: asset.symbol, ...to }, payer.query);
}

/**
 * Checks that the key may pay for this account, with a dry run of the smallest amount by the account itself, to which
 * no policy applies.
 */
async function askKey(context: Context, { payer, asset, payment, byKey }: Intent): Promise<void> {
  // A blind key makes no dry runs: the service would be shown an amount.
  if (!byKey || !payment || context.homeKey !== undefined) return;
  const { to, kind } = payment;
  const { handle } = await context.account();
  const json = {
    from: handle,
    to: isAddressEqual(to.address, context.wallet.address) ? payer.address : to.address.toLowerCase(),
    amount: formatAmount(1n, asset.decimals),
    asset: asset.symbol,
    confidential: kind !== "release",
  };
  const request = { json, query: { dry_run: "true" }, headers: context.bearer };
  const { outcome } = (await context.http.send("POST", "/v1/transfers", request)).body as DryRun;
  if (outcome === "allowed") return;
  throw new HalcyonError("key_forbidden", "This API key may not pay from this account. Use a key of the account.");
}

/**
 * Throws what the service would refuse, before any signed document leaves this machine. A document refused later may
 * still settle until its deadline, because only the chain can show that the service has not forwarded it. The service
 * learns the recipient but no amount. Passing this check promises nothing.
 *
 * @throws HalcyonError `policy_violation`, `recipient_not_confidential_ready`, `invalid_request`, `kyc_required`,
 * `key_forbidden`, `rate_limited`, `unauthorized`
 */
export async function checkBeforeProving(context: Context, intent: Intent): Promise<void> {
  await Promise.all([askService(context, intent), askKey(context, intent)]);
}
