import { csvRecord } from "@/lib/base/csv/csv-record";
import { dateTimeIn } from "./period";
import { endOf, type Statement } from "./statement";

const COLUMNS = [
  "time_utc",
  "local_time",
  "type",
  "account",
  "counterparty",
  "counterparty_address",
  "asset",
  "paid_in",
  "paid_out",
  "balance",
  "reference",
  "memo",
  "transfer_id",
  "refund_of",
  "tx_hash",
] as const;

/** Strips the @ of handles, which a spreadsheet would take for a formula. */
const nameOf = (name: string | null) => name?.replace(/^@/, "") ?? null;

/**
 * Returns a statement as CSV: for each asset a record with its opening balance, its movements, and a record with its
 * closing balance. A statement that does not add up ends with a record of type `problem` for each problem.
 */
export function statementCsv(statement: Statement): string {
  const { assets, rows, problems, time_zone: zone, from } = statement;
  const end = endOf(statement);
  const local = (time: string) => dateTimeIn(zone, new Date(time));
  const records: Partial<Record<(typeof COLUMNS)[number], string | null>>[] = [];
  for (const { asset, opening, closing } of assets) {
    records.push({ time_utc: from, local_time: local(from), type: "opening_balance", asset, balance: opening });
    for (const row of rows.filter((each) => each.asset === asset)) {
      const { time, account, counterparty, log_index: _, ...rest } = row;
      const names = { account: nameOf(account), counterparty: nameOf(counterparty) };
      records.push({ ...rest, ...names, time_utc: time, local_time: local(time) });
    }
    records.push({ time_utc: end, local_time: local(end), type: "closing_balance", asset, balance: closing });
  }
  for (const { message } of problems) records.push({ type: "problem", memo: message });
  return [COLUMNS, ...records.map((record) => COLUMNS.map((column) => record[column]))].map(csvRecord).join("");
}
