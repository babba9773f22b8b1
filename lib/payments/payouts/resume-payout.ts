import { requireKyc } from "@/lib/accounts/kyc/require-kyc";
import type { KeyContext } from "@/lib/base/context/context";
import { CHAIN_ID } from "@/lib/base/network";
import { needsHomeKey } from "@/lib/base/payment-errors";
import { requireBlindKey } from "@/lib/payments/blind/blind-payment";
import { linkPaidBefore } from "./change-rows";
import { findPayout } from "./find-payout";
import { nextGroup } from "./next-group";
import { payRowsBlind } from "./pay-rows-blind";
import { type PayoutView, readPayout } from "./read-payout";
import type { ResumePayoutInput } from "./schema";
import { workByClient } from "./work-by-client";
import { workOnPayout } from "./work-on-payout";
import { REQUEST_MS } from "./work-time";

/**
 * Continues a payout for as long as a request may last. Any key of the account will do, whether a key or the wallet
 * created the payout. A payout that is finished or cancelled is returned unchanged. With a blind key, its client pays.
 *
 * @throws ApiError `not_found`, `key_forbidden`, `kyc_required` (live network); with a blind key, those of payRowsBlind
 */
export async function resumePayout(
  ctx: KeyContext,
  id: string,
  { blind }: ResumePayoutInput = {},
  now = Date.now,
): Promise<PayoutView> {
  if (blind) return workBlind(ctx, id, blind);
  if (ctx.blind) throw needsHomeKey();
  const until = now() + REQUEST_MS;
  const payout = await findPayout(ctx, id);
  if (ctx.chainId === CHAIN_ID.live) await requireKyc(ctx);
  await workOnPayout(ctx, payout, until, now);
  return readPayout(ctx, id);
}

/** Pays what a client with a home key has built, and records what it could not pay. */
async function workBlind(
  ctx: KeyContext,
  id: string,
  { document, signature, ...work }: NonNullable<ResumePayoutInput["blind"]>,
): Promise<PayoutView> {
  requireBlindKey(ctx);
  if (ctx.chainId === CHAIN_ID.live) await requireKyc(ctx);
  return workByClient(ctx, id, work, async (payout) => {
    // The ledger may have rows that a restored backup calls pending.
    await linkPaidBefore(ctx, await nextGroup(payout.id));
    if (document && signature) await payRowsBlind(ctx, payout, document, signature);
  });
}
