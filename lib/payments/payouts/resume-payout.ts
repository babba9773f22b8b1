import { requireKyc } from "@/lib/accounts/kyc/require-kyc";
import type { Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { CHAIN_ID } from "@/lib/base/network";
import { needsHomeKey } from "@/lib/base/payment-errors";
import { requireBlindKey } from "@/lib/payments/blind/blind-payment";
import { linkPaidBefore } from "./change-rows";
import { findPayout } from "./find-payout";
import { nextGroup } from "./next-group";
import { payRowsBlind } from "./pay-rows-blind";
import { type PayoutView, readPayout } from "./read-payout";
import type { PayoutWork, ResumePayoutInput } from "./schema";
import { workByClient } from "./work-by-client";
import { workOnPayout } from "./work-on-payout";
import { REQUEST_MS } from "./work-time";

/**
 * Continues a payout for as long as a request may last. Any key of the account will do, whether a key or the wallet
 * created the payout. A payout that is finished or cancelled is returned unchanged. With a blind key or a session, its
 * client pays, and reports here.
 *
 * @throws ApiError `not_found`, `key_forbidden`, `kyc_required` (live network); with a blind key, those of payRowsBlind
 */
export async function resumePayout(
  ctx: Context,
  id: string,
  { work }: ResumePayoutInput = {},
  now = Date.now,
): Promise<PayoutView> {
  if (work) return workReported(ctx, id, work);
  if (ctx.actor === "key" && ctx.blind) throw needsHomeKey();
  const until = now() + REQUEST_MS;
  const payout = await findPayout(ctx, id);
  if (ctx.actor === "session") {
    throw new ApiError("invalid_request", "A session's client pays the rows, and says so.", { param: "work" });
  }
  if (ctx.chainId === CHAIN_ID.live) await requireKyc(ctx);
  await workOnPayout(ctx, payout, until, now);
  return readPayout(ctx, id);
}

/** Records what a client could not pay, and pays what one with a home key has built. */
async function workReported(ctx: Context, id: string, { blind, ...work }: PayoutWork): Promise<PayoutView> {
  if (ctx.actor === "session" && !blind) return workByClient(ctx, id, work);
  const key = requireBlindKey(ctx);
  if (ctx.chainId === CHAIN_ID.live) await requireKyc(ctx);
  return workByClient(ctx, id, work, async (payout) => {
    // The ledger may have rows that a restored backup calls pending.
    await linkPaidBefore(ctx, await nextGroup(payout.id));
    if (blind) await payRowsBlind(key, payout, blind.document, blind.signature);
  });
}
