import type { Context } from "@/lib/base/context/context";
import { failRows, splitBatch } from "./change-rows";
import { findPayout, type Payout } from "./find-payout";
import { keepWorking } from "./keep-working";
import { pausePayout } from "./pause-payout";
import { type PayoutView, readPayout } from "./read-payout";
import type { PayoutWork } from "./schema";
import { WORK_MS } from "./work-time";

/**
 * Records that the owner's client is paying the rows: the payout stays `processing` for another minute. The client also
 * reports rows that it can't pay, batches that were refused, and an error that keeps it from paying further rows, which
 * pauses the payout.
 *
 * @param pay pays rows that the client has built
 * @throws ApiError `not_found`
 */
export async function workByClient(
  ctx: Context,
  id: string,
  input: Omit<PayoutWork, "blind">,
  pay: (payout: Payout) => Promise<void> = async () => {},
): Promise<PayoutView> {
  const payout = await findPayout(ctx, id);
  if (await keepWorking(payout.id, WORK_MS)) {
    await pay(payout);
    if (input.failed.length > 0) await failRows(id, input.failed);
    for (const batch of input.alone) await splitBatch(id, batch);
    if (input.paused) await pausePayout(id, input.paused);
  }
  const view = await readPayout(ctx, id);
  // The last payments may be final already. Check now instead of when the minute is over.
  if (view.counts.pending === 0) await keepWorking(id, 0);
  return view;
}
