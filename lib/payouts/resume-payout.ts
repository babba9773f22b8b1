import type { KeyContext } from "@/lib/context/context";
import { requireKyc } from "@/lib/kyc/require-kyc";
import { CHAIN_ID } from "@/lib/network";
import { findPayout } from "./find-payout";
import { type PayoutView, readPayout } from "./read-payout";
import { workOnPayout } from "./work-on-payout";
import { REQUEST_MS } from "./work-time";

/**
 * Goes on with a payout, whichever key of the account or its wallet created it, for as long as a request may last. One
 * that is finished or cancelled is returned as it is.
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
