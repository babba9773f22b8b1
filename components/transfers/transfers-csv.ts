import type { ExportedTransfer } from "@/components/vault/methods/export-transfers";

/*
 * CSV as RFC 4180 has it: a head, CRLF after every record, quotes where a field needs them. Times are ISO 8601 in UTC,
 * amounts plain decimals.
 */

const COLUMNS = [
  "transfer_id",
  "created_at",
  "confirmed_at",
  "status",
  "direction",
  "kind",
  "from_handle",
  "from_address",
  "to_handle",
  "to_address",
  "asset",
  "amount",
  "memo",
  "confidential",
  "tx_hash",
  "api_key_id",
] as const satisfies readonly (keyof ExportedTransfer)[];

/**
 * One field. A spreadsheet would run a text that begins like a formula (a memo is written by somebody else): it gets an
 * apostrophe in front (OWASP, CSV injection).
 */
function field(value: string | boolean | null): string {
  const text = value === null ? "" : String(value);
  const harmless = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Transfers as a CSV text, in the order given. */
export function transfersCsv(rows: readonly ExportedTransfer[]): string {
  const lines = [[...COLUMNS], ...rows.map((row) => COLUMNS.map((column) => row[column]))];
  return lines.map((fields) => `${fields.map(field).join(",")}\r\n`).join("");
}
