import { db, type Tx } from "@/db/client";
import type { KeyContext } from "@/lib/base/context/context";
import { earliestOpenPayment, earliestPayment } from "@/lib/base/earliest-payment";
import { ApiError } from "@/lib/base/errors";
import { equalBytes } from "@/lib/ledger/crypto/bytes";
import { AlreadyPaid } from "@/lib/payments/already-paid";
import { lastRebuilt } from "./lost-idempotency-keys";
import { readTags } from "./read-tags";

/** A run that is about to be paid: its date by the schedule, and the tag of its payment. */
interface Run {
  date: string;
  tag: Uint8Array;
}

/**
 * Refuses a run that was paid under a version of its schedule that a restored backup lacks. If that version had another
 * amount, its note differs, but its tag is the same, and the owner's client submits the tags. Idempotency keys are
 * valid for a day; a run can be paid for weeks, so all rebuilt payments since its date count.
 *
 * @returns a check to run inside the transaction that pays
 * @throws ApiError `transaction_not_found` for a run that was paid; `sync_required` while this is unknown
 */
export async function refusePaidRun(
  ctx: KeyContext,
  { date, tag }: Run,
  now = new Date(),
): Promise<(tx: Tx) => Promise<void>> {
  const since = earliestPayment(date);
  const rebuiltAt = await lastRebuilt(db(), ctx);
  if (rebuiltAt !== null && rebuiltAt > since) {
    const { payments, isComplete } = await readTags(ctx, since);
    if (payments.some((payment) => payment.tag !== null && equalBytes(payment.tag, tag))) throw new AlreadyPaid("paid");
    if (since < earliestOpenPayment(now))
      throw unknownRun("It is too late to find out. Pay it with the account's wallet.");
    if (!isComplete) throw unknownRun(SYNC);
  }
  return async (tx) => {
    const latest = await lastRebuilt(tx, ctx);
    if (latest?.getTime() !== rebuiltAt?.getTime()) throw unknownRun(SYNC);
  };
}

const SYNC =
  "Let the account's owner sync it: unlock the dashboard, or run `halcyon sync`. Then try again. Or pay it with the " +
  "account's wallet.";

function unknownRun(remedy: string): ApiError {
  const what = "The service was restored from a backup and does not know whether this run was paid before.";
  return new ApiError("sync_required", `${what} ${remedy}`);
}
