import type { Statement } from "./statement";
import { statementCsv } from "./statement-csv";
import { statementOfx } from "./statement-ofx";

/** The text formats, which need no large libraries. */
export const TEXT_FORMATS = ["csv", "ofx", "json"] as const;

/** A text format of a statement. */
export type TextFormat = (typeof TEXT_FORMATS)[number];

/** Media types of the formats of a statement. */
export const STATEMENT_TYPES: Readonly<Record<TextFormat | "pdf", string>> = {
  csv: "text/csv",
  ofx: "application/x-ofx",
  json: "application/json",
  pdf: "application/pdf",
};

/**
 * Returns a statement as the text of a file.
 *
 * @throws RangeError for OFX of a statement that does not add up, which the format can't express
 */
export function statementText(statement: Statement, format: TextFormat): string {
  switch (format) {
    case "csv":
      return statementCsv(statement);
    case "json":
      return `${JSON.stringify(statement, null, 2)}\n`;
    case "ofx":
      return statementOfx(statement);
  }
}
