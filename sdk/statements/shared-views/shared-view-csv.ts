import { csvRecord } from "@/lib/base/csv/csv-record";
import type { CheckedSharedView } from "./check-shared-view";

const COLUMNS = [
  "state",
  "time_utc",
  "direction",
  "from",
  "to",
  "name",
  "asset",
  "amount",
  "reference",
  "memo",
  "tx_hash",
  "reason",
];

/** Formats the payments of a view as CSV, each with the result of its comparison with the chain. */
export function sharedViewCsv({ payments }: CheckedSharedView): string {
  const records = payments.map(({ state, time, direction, from, to, name, asset, amount, ...rest }) => [
    state,
    time,
    direction,
    from,
    to,
    // A spreadsheet would treat the @ of a handle as a formula.
    name?.replace(/^@/, "") ?? null,
    asset,
    amount,
    rest.reference,
    rest.memo,
    rest.tx_hash,
    rest.reason,
  ]);
  return [COLUMNS, ...records].map(csvRecord).join("");
}
