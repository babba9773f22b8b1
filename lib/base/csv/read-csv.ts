/*
 * Reads CSV as RFC 4180 defines it. Also accepts semicolons and tabs as separators, which spreadsheets write in some
 * locales.
 */

/** A record below the header. */
interface CsvRow {
  /** The line of the file where the record begins, from 1, as an editor counts. */
  line: number;
  /** By the header's names. A field that the record lacks is empty. */
  fields: Readonly<Record<string, string>>;
}

/** The parsed content of a file. */
interface CsvFile {
  separator: CsvSeparator;
  /** The header's names, trimmed and in lower case. */
  columns: readonly string[];
  rows: readonly CsvRow[];
}

/** The character between fields. */
type CsvSeparator = "," | ";" | "\t";

/** Which files are accepted. */
interface CsvRules {
  /** The maximum number of rows below the header. */
  maxRows: number;
  /** Columns that must be present. */
  required?: readonly string[];
  /**
   * Columns that may be present. Any other column is refused, because a misspelled name would silently lose its values.
   */
  optional?: readonly string[];
}

/** Says why a file can't be read, in words for its author. It never quotes a field's value. */
export class CsvError extends Error {
  override name = "CsvError";
  /** The line of the problem, from 1; null if it concerns the whole file. */
  readonly line: number | null;

  constructor(message: string, line: number | null = null) {
    super(line === null ? message : `Line ${line}: ${message}`);
    this.line = line;
  }
}

const SEPARATORS: readonly CsvSeparator[] = [",", ";", "\t"];

/**
 * Parses a whole file. Its first record names the columns. Lines without any value are skipped.
 *
 * @throws CsvError if the file is not valid CSV with these columns, or has more rows than the limit
 */
export function readCsv(text: string, { maxRows, required = [], optional }: CsvRules): CsvFile {
  const whole = text.startsWith("\uFEFF") ? text.slice(1) : text;
  // A first line for spreadsheets that names the separator. Its line end stays, for the count of lines.
  const named = /^sep=([,;\t])(?=\r|\n)/i.exec(whole);
  const content = named ? whole.slice(named[0].length) : whole;
  const separator = (named?.[1] as CsvSeparator | undefined) ?? separatorOf(content);
  const rows: CsvRow[] = [];
  let columns: string[] | null = null;
  for (const { line, fields } of records(content, separator)) {
    if (fields.every((field) => field.trim() === "")) continue;
    if (!columns) {
      columns = header(
        fields.slice(0, fields.findLastIndex((field) => field.trim() !== "") + 1),
        line,
        required,
        optional,
      );
      continue;
    }
    // Spreadsheets end lines with empty fields where a column was once used.
    if (fields.slice(columns.length).some((field) => field.trim() !== "")) {
      throw new CsvError(
        `this row has ${fields.length} fields, and the header names ${columns.length}. Put a value that contains the separator in quotes.`,
        line,
      );
    }
    if (rows.length === maxRows) {
      throw new CsvError(`A file holds up to ${maxRows.toLocaleString("en-US")} rows. Split it.`);
    }
    rows.push({ line, fields: Object.fromEntries(columns.map((name, index) => [name, fields[index] ?? ""])) });
  }
  if (!columns) throw new CsvError("The file is empty. Its first line names the columns.");
  return { separator, columns, rows };
}

/** Returns the separator that occurs most often in the first record outside quotes; a comma if none occurs. */
function separatorOf(content: string): CsvSeparator {
  let quoted = false;
  const counts = new Map<string, number>(SEPARATORS.map((one) => [one, 0]));
  for (const character of content.trimStart()) {
    if (character === '"') quoted = !quoted;
    if (quoted) continue;
    if (character === "\n" || character === "\r") break;
    const count = counts.get(character);
    if (count !== undefined) counts.set(character, count + 1);
  }
  return SEPARATORS.reduce((best, one) => ((counts.get(one) ?? 0) > (counts.get(best) ?? 0) ? one : best));
}

function header(
  fields: readonly string[],
  line: number,
  required: readonly string[],
  optional: readonly string[] | undefined,
): string[] {
  const columns = fields.map((field) => field.trim().toLowerCase());
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twice !== undefined) throw new CsvError(`the header names the column "${twice}" twice.`, line);
  const missing = required.filter((name) => !columns.includes(name));
  if (missing.length > 0) {
    throw new CsvError(`the header lacks ${missing.map((name) => `"${name}"`).join(" and ")}.`, line);
  }
  const unknown = optional && columns.find((name) => !required.includes(name) && !optional.includes(name));
  if (unknown !== undefined) {
    const known = [...required, ...(optional ?? [])].join(", ");
    throw new CsvError(`the header has an unknown column. The columns are: ${known}.`, line);
  }
  return columns;
}

interface RawRecord {
  line: number;
  fields: string[];
}

/** Yields every record with the line on which it begins. A record ends with CRLF, LF or CR outside quotes. */
function* records(content: string, separator: CsvSeparator): Generator<RawRecord> {
  let line = 1;
  let at = 0;
  while (at < content.length) {
    const record: RawRecord = { line, fields: [] };
    for (;;) {
      const field = content[at] === '"' ? quotedField(content, at, line) : plainField(content, at, separator);
      record.fields.push(field.value);
      line += field.lines;
      at = field.end;
      if (content[at] === separator) {
        at += 1;
        continue;
      }
      if (at < content.length && content[at] !== "\r" && content[at] !== "\n") {
        throw new CsvError("text follows a closing quote. Write a quote inside of quotes twice.", line);
      }
      break;
    }
    at += content.startsWith("\r\n", at) ? 2 : 1;
    line += 1;
    yield record;
  }
}

interface Field {
  value: string;
  end: number;
  /** Number of line ends inside the field. */
  lines: number;
}

function plainField(content: string, start: number, separator: CsvSeparator): Field {
  let end = start;
  while (end < content.length) {
    const character = content[end];
    if (character === separator || character === "\r" || character === "\n") break;
    end += 1;
  }
  return { value: content.slice(start, end), end, lines: 0 };
}

function quotedField(content: string, start: number, line: number): Field {
  let value = "";
  let at = start + 1;
  for (;;) {
    const quote = content.indexOf('"', at);
    if (quote < 0) throw new CsvError("a quote is opened and never closed.", line);
    value += content.slice(at, quote);
    at = quote + 1;
    if (content[at] !== '"') break;
    value += '"';
    at += 1;
  }
  return { value, end: at, lines: value.match(/\r\n|\r|\n/g)?.length ?? 0 };
}
