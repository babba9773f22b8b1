/* Writes CSV as RFC 4180 defines it: CRLF after every record, quotes where a field needs them. */

/** The value of a field. Null and undefined become an empty field. */
export type CsvField = string | number | boolean | null | undefined;

/**
 * Formats one field. A spreadsheet runs text that begins like a formula, and others write texts such as memos, so such
 * a text gets a leading apostrophe (OWASP, CSV injection).
 */
function field(value: CsvField): string {
  const text = value === null || value === undefined ? "" : String(value);
  const harmless = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Formats one record, including its line end. */
export function csvRecord(fields: readonly CsvField[]): string {
  return `${fields.map(field).join(",")}\r\n`;
}
