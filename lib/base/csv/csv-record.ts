import { HARMFUL } from "@/lib/base/harmful-characters";

/* Writes CSV as RFC 4180 defines it: CRLF after every record, quotes where a field needs them. */

/** The value of a field. Null and undefined become an empty field. */
export type CsvField = string | number | boolean | null | undefined;

/**
 * Where a spreadsheet may begin a cell: at the field's start, and behind another separator or a line end in it, because
 * quotes hide neither from a spreadsheet whose separator is not the comma.
 */
const FORMULA = /^(?=[=+\-@\t\r\n])|(?<=[;|\t\r\n])(?=[=+\-@])/g;

/**
 * Formats one field. A spreadsheet runs text that begins like a formula, and others write texts such as memos, so an
 * apostrophe stands before it (OWASP, CSV injection). Control characters become U+FFFD: they drive a terminal, and stop
 * other programs.
 */
function field(value: CsvField): string {
  const text = value === null || value === undefined ? "" : String(value);
  const harmless = text.replace(HARMFUL, "\ufffd").replace(FORMULA, "'");
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Formats one record, including its line end. */
export function csvRecord(fields: readonly CsvField[]): string {
  return `${fields.map(field).join(",")}\r\n`;
}
