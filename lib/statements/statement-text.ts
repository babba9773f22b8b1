import type { Statement } from "./statement";
import { statementCsv } from "./statement-csv";
import { statementOfx } from "./statement-ofx";

/** What a statement can be saved as without more code than most programs want. */
export const TEXT_FORMATS = ["csv", "ofx", "json"] as const;

/** A format of a statement that is text. */
export type TextFormat = (typeof TEXT_FORMATS)[number];

/** The media types of what a statement can be saved as. */
export const STATEMENT_TYPES: Readonly<Record<TextFormat | "pdf", string>> = {
  csv: "text/csv",
  ofx: "application/x-ofx",
  json: "application/json",
  pdf: "application/pdf",
};

/**
 * A statement as the text of a file.
 *
 * @throws RangeError for OFX of a statement that does not add up: the format can't say so
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
