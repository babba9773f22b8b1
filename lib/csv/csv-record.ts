/*
 * CSV as RFC 4180 has it: CRLF after every record, quotes where a field needs them.
 */

/** What a field can hold. Null is an empty field. */
export type CsvField = string | number | boolean | null | undefined;

/**
 * One field. A spreadsheet would run a text that begins like a formula (a memo is written by someone else): it gets an
 * apostrophe in front (OWASP, CSV injection).
 */
function field(value: CsvField): string {
  const text = value === null || value === undefined ? "" : String(value);
  const harmless = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** One record, with its line end. */
export function csvRecord(fields: readonly CsvField[]): string {
  return `${fields.map(field).join(",")}\r\n`;
}
