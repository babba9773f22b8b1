import type { Statement } from "@/lib/payments/statements/statement";
import type { TextFormat } from "@/lib/payments/statements/statement-text";
import type { CallOptions } from "../api/call-options";
import { checkInput, type FieldsOf } from "../api/check-input";
import { HalcyonError } from "../api/errors";
import type { StatementInput } from "../statements/statement-input";
import { Resource } from "./resource";

/** The input of a statement, and the format of its file. */
export interface StatementFileInput extends StatementInput {
  /** `csv`, `ofx` or `json`. */
  format: TextFormat;
}

/** The fields shared by statements and views for an accountant; both are made from movements. */
export const STATEMENT_FIELDS: FieldsOf<StatementInput> = {
  from: "time!",
  to: "time!",
  timeZone: "text",
  agent: "text",
  withAgents: "flag",
  asset: "text",
};

/** Statements of a period: `halcyon.statements`. Few programs need them, so their code loads with the first call. */
export class StatementsResource extends Resource {
  /**
   * Creates a statement of the account, of one agent, or of all of them together: opening balance, movements, closing
   * balance. Everything is read from the chain and decrypted on this machine; the service adds names, references and
   * memos. If the figures don't fit together, `adds_up` is false and `problems` says why. Needs the wallet, or a
   * viewing key and an API key of scope `read`.
   *
   * @example
   * const period = { from: "2026-11-01", to: "2026-11-30", timeZone: "Europe/Zurich" };
   * const statement = await halcyon.statements.create(period);
   * // { adds_up: true, rows: […],
   * //   assets: [{ asset: "USDG", opening: "0", paid_in: "975", paid_out: "25", closing: "950", … }] }
   * @throws HalcyonError `invalid_request` for an invalid period or time zone; `not_found` for an unknown agent
   */
  async create(input: StatementInput, options?: CallOptions): Promise<Statement> {
    checkInput(input, STATEMENT_FIELDS);
    const { createStatement } = await import("./lazy-calls");
    return createStatement(this.context.within(options), input);
  }

  /**
   * Creates a statement, as `create` does, and returns it as the text of a file: CSV, OFX 2.2 or JSON. The command line
   * and the dashboard also produce PDF.
   *
   * @example
   * const ofx = await halcyon.statements.file({ from: "2026-11-01", to: "2026-11-30", format: "ofx" });
   * @throws HalcyonError like `create`, and `invalid_request` for OFX of a statement that does not add up: the format
   * can't say so
   */
  async file(input: StatementFileInput, options?: CallOptions): Promise<string> {
    checkInput(input, { ...STATEMENT_FIELDS, format: "text!" });
    const { createStatement, statementText, TEXT_FORMATS } = await import("./lazy-calls");
    const { format, ...asked } = input;
    if (!TEXT_FORMATS.includes(format)) {
      throw new HalcyonError("invalid_request", `format is one of: ${TEXT_FORMATS.join(", ")}.`, { param: "format" });
    }
    const statement = await createStatement(this.context.within(options), asked);
    try {
      return statementText(statement, format);
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause;
      throw new HalcyonError("invalid_request", cause.message, { cause, param: "format" });
    }
  }
}
