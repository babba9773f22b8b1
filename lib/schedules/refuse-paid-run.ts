import { db, type Tx } from "@/db/client";
import type { KeyContext } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";
import { equalBytes } from "@/lib/ledger/crypto/bytes";
import { readTags } from "@/lib/transfers/read-tags";
import { madeBefore } from "@/lib/transfers/refuse-approved";
import { requireNothingRebuilt, unknownKeys } from "@/lib/transfers/unknown-keys";

/**
 * Refuses a run that was paid under a version of its schedule that a restored backup lacks. If that version had another
 * amount, its note differs, but its tag is the same, and the owner's client submits the tags.
 *
 * @returns a check to run inside the transaction that pays
 * @throws ApiError `transaction_not_found` for a run that was paid; `reseal_required` while this is unknown
 */
export async function refusePaidRun(ctx: KeyContext, tag: Uint8Array): Promise<(tx: Tx) => Promise<void>> {
  const unknown = await unknownKeys(db(), ctx);
  if (unknown) {
    const { payments, isComplete } = await readTags(ctx);
    if (payments.some((payment) => payment.tag !== null && equalBytes(payment.tag, tag))) throw madeBefore();
    if (!isComplete) throw unknownRun(unknown.until);
  }
  return (tx) => requireNothingRebuilt(tx, ctx, unknown, unknownRun);
}

function unknownRun(until: Date): ApiError {
  return new ApiError(
    "reseal_required",
    "The service was restored from a backup and does not know whether this run was paid before. Let the account's " +
      "owner sync it: unlock the dashboard, or run `halcyon sync`. Then try again. Or pay it with the account's " +
      `wallet, or after ${until.toISOString()}.`,
  );
}
