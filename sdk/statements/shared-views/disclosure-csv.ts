import { csvRecord } from "@/lib/base/csv/csv-record";
import type { CheckedDisclosure } from "./check-disclosure";

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
export function disclosureCsv({ payments }: CheckedDisclosure): string {
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
