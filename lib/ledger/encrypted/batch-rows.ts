import { BATCH_PAYMENTS } from "./batch-copy";

/** Where a row of a payout is paid: in which batch, and at which place in it. */
interface BatchPlace<T> {
  batch: number;
  place: number;
  item: T;
}

/** Splits the rows of a payout into batches of up to 16, each of one asset, in their order. */
export function batchRows<T>(rows: readonly T[], assetOf: (row: T) => string): BatchPlace<T>[] {
  const open = new Map<string, { batch: number; size: number }>();
  let batches = 0;
  return rows.map((item) => {
    const asset = assetOf(item);
    let current = open.get(asset);
    if (!current || current.size === BATCH_PAYMENTS) {
      current = { batch: batches, size: 0 };
      batches += 1;
      open.set(asset, current);
    }
    const place = current.size;
    current.size += 1;
    return { batch: current.batch, place, item };
  });
}
