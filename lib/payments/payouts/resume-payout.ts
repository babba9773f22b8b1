import { requireKyc } from "@/lib/accounts/kyc/require-kyc";
import type { KeyContext } from "@/lib/base/context/context";
import { CHAIN_ID } from "@/lib/base/network";
import { findPayout } from "./find-payout";
import { type PayoutView, readPayout } from "./read-payout";
import { workOnPayout } from "./work-on-payout";
import { REQUEST_MS } from "./work-time";

/**
 * Continues a payout for as long as a request may last. Any key of the account will do, whether a key or the wallet
 * created the payout. A payout that is finished or cancelled is returned unchanged.
 *
 * @throws ApiError `not_found`, `key_forbidden`, `kyc_required` (live network)
 */
export async function resumePayout(ctx: KeyContext, id: string, now = Date.now): Promise<PayoutView> {
  const until = now() + REQUEST_MS;
  const payout = await findPayout(ctx, id);
  if (ctx.chainId === CHAIN_ID.live) await requireKyc(ctx);
  await workOnPayout(ctx, payout, until, now);
  return readPayout(ctx, id);
}
