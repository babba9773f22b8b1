import { CsvError, readCsv } from "@/lib/base/csv/read-csv";
import { HalcyonError } from "../../api/errors";
import { fileJson } from "../../api/file-text";
import type { PayoutRowInput } from "../../api/resources/payouts";
import type { PayoutFault } from "./find-faults";
import { unclearAmounts } from "./unclear-amounts";

/** The largest number of rows in one payout. */
const PAYOUT_ROWS = 5_000;

const REQUIRED = ["to", "amount"] as const;
const OPTIONAL = ["asset", "memo", "reference"] as const;

/** The rows of a file, and the line on which each begins. */
export interface PayoutFile {
  rows: PayoutRowInput[];
  /** The line of each row, in order, counted from 1 like in an editor. For JSON, the row's number. */
  lines: number[];
  /** What `lines` counts. */
  counts: "line" | "row";
  /** Amounts that the file leaves unclear. Nothing may be paid while there are any. */
  unclear: PayoutFault[];
}

/** Returns where a row is in its file: `line 8`, or `row 7` of JSON. */
export function rowPlace({ lines, counts }: PayoutFile, row: number): string {
  return `${counts} ${lines[row - 1] ?? row}`;
}

/** Returns faults whose messages name other rows by their place in the file, too. */
export function inFile<F extends Pick<PayoutFault, "message">>(file: PayoutFile, faults: readonly F[]): F[] {
  return faults.map((fault) => {
    return {
      ...fault,
      message: fault.message.replace(/\bof row (\d+)/, (_, row) => `of ${rowPlace(file, Number(row))}`),
    };
  });
}

/**
 * Reads the file of a payout. CSV: the first line names the columns (`to`, `amount`, and optionally `asset`, `memo`,
 * `reference`), separated by commas, semicolons or tabs. JSON: a list of such rows, or an object with `rows`.
 *
 * A dot separates decimals. Spreadsheets write semicolons where a comma does: there, and where the reader's own comma
 * does, `1.234` could be 1234, and is unclear until the file shows which (`unclearAmounts`). Tabs say nothing, because
 * spreadsheets copy them everywhere. JSON comes from programs.
 *
 * @param comma what a comma in a number means to the reader
 * @throws HalcyonError `invalid_request`, which says where the fault is and quotes nothing from the file
 */
export function readPayoutFile(text: string, comma: "grouping" | "decimal" = "grouping"): PayoutFile {
  const content = text.replace(/^\uFEFF/, "").trimStart();
  const file = /^[[{]/.test(content) ? readJson(content) : readTable(text, comma);
  const damaged = file.rows.findIndex((row) => Object.values(row).some((value) => value.includes("\ufffd")));
  if (damaged < 0) return file;
  throw refuse(
    `${rowPlace(file, damaged + 1)} has a character that was lost when the file was saved: \ufffd. Correct it.`,
  );
}

function readTable(text: string, comma: "grouping" | "decimal"): PayoutFile {
  try {
    const { rows, separator } = readCsv(text, { maxRows: PAYOUT_ROWS, required: REQUIRED, optional: OPTIONAL });
    if (rows.length === 0) throw refuse("The file has no row below its header.");
    const read = rows.map(({ fields }) => rowOf(fields));
    const unclear = separator === ";" || comma === "decimal" ? unclearAmounts(read) : [];
    return { rows: read, lines: rows.map(({ line }) => line), counts: "line", unclear };
  } catch (error) {
    if (error instanceof CsvError) throw refuse(error.message);
    throw error;
  }
}

/** Leaves out empty cells. Removes the apostrophe with which exports disarm a formula. */
function rowOf(fields: Readonly<Record<string, string>>): PayoutRowInput {
  const cell = (name: string) => (fields[name] ?? "").trim().replace(/^'(?=[=+\-@])/, "");
  const given = OPTIONAL.flatMap((name) => (cell(name) === "" ? [] : [[name, cell(name)]]));
  return { to: cell("to"), amount: cell("amount"), ...Object.fromEntries(given) };
}

function readJson(content: string): PayoutFile {
  const rows = rowsOf(content);
  if (rows.length === 0) throw refuse("The file has no row.");
  if (rows.length > PAYOUT_ROWS) throw refuse("A file holds up to 5,000 rows. Split it.");
  const lines = rows.map((_, index) => index + 1);
  return { rows: rows.map((row, index) => jsonRow(row, index + 1)), lines, counts: "row", unclear: [] };
}

function rowsOf(content: string): readonly unknown[] {
  const value = fileJson(content);
  if (value === undefined) throw refuse("The file is not JSON. Check its quotes and commas.");
  const rows = Array.isArray(value) ? value : (value as { rows?: unknown }).rows;
  if (Array.isArray(rows)) return rows;
  throw refuse('The file is a list of rows, or an object with "rows".');
}

function jsonRow(row: unknown, number: number): PayoutRowInput {
  const fields = typeof row === "object" && row !== null && !Array.isArray(row) ? Object.entries(row) : null;
  if (!fields) throw refuse(`Row ${number} is not an object with "to" and "amount".`);
  const known: readonly string[] = [...REQUIRED, ...OPTIONAL];
  for (const [name, value] of fields) {
    if (!known.includes(name)) throw refuse(`Row ${number} has an unknown field. The fields are: ${known.join(", ")}.`);
    if (typeof value !== "string") throw refuse(`Row ${number}: "${name}" is a text, such as "25.50" for an amount.`);
  }
  const given: Partial<PayoutRowInput> = Object.fromEntries(fields);
  if (given.to === undefined || given.amount === undefined) throw refuse(`Row ${number} lacks "to" or "amount".`);
  return { ...given, to: given.to, amount: given.amount };
}

const refuse = (message: string) => new HalcyonError("invalid_request", message, { param: "file" });
