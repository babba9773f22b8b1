import stringWidth from "string-width";
import type { ErrorCode } from "@/lib/base/errors";
import { HARMFUL } from "@/lib/base/harmful-characters";
import { ApiCallError, HalcyonError } from "../api/errors";
import { toHalcyonError } from "../api/to-halcyon-error";
import { OutcomeUnknown, ResponseLost } from "../payments/attempts/outcome-unknown";
import { callersKey, lastDeadline, type PendingPayment, roundOf } from "../payments/attempts/pending-payment";
import { TransferNotFinal } from "../payments/attempts/transfer-not-final";
import { inCommandLineWords } from "./command-line-words";
import { bold, dim, red } from "./style";

/** A cell of a table. Missing values are shown as a dash. */
export type Cell = string | null | undefined;

/** A text table: columns aligned with spaces, headings in capitals. */
export class TextTable {
  private readonly widths: number[];
  private headed = false;

  constructor(private readonly headings: readonly string[]) {
    this.widths = headings.map((heading) => stringWidth(heading));
  }

  /** Formats more rows, with columns at least as wide as before. The first call also returns the headings. */
  lines(rows: readonly Cell[][]): string {
    const cells = rows.map((row) => row.map(oneLine));
    this.headings.forEach((_, column) => {
      const widest = cells.map((line) => stringWidth(line[column] ?? ""));
      this.widths[column] = Math.max(this.widths[column] ?? 0, ...widest);
    });
    const lines = cells.map((line) => this.line(line));
    if (this.headed) return lines.join("\n");
    this.headed = true;
    return [bold(this.line(this.headings.map((heading) => heading.toUpperCase()))), ...lines].join("\n");
  }

  private line(cells: readonly string[]): string {
    return cells
      .map((cell, column) => padded(cell, this.widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  }
}

/** Formats a whole table. If it is empty, returns `none`. */
export function table(headings: string[], rows: Cell[][], none: string): string {
  return rows.length === 0 ? none : new TextTable(headings).lines(rows);
}

/** Formats names and values, one pair per line. Missing values are left out. */
export function fields(values: Record<string, string | number | boolean | null | undefined>): string {
  const shown = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${dim(name.padEnd(width))}  ${oneLine(String(value))}`).join("\n");
}

/** Pads a text to a width in terminal columns: an East Asian character takes two, a combining character none. */
const padded = (text: string, width: number) => text + " ".repeat(Math.max(0, width - stringWidth(text)));

/**
 * Cleans text from others (memos, labels), so that it can't move the cursor, forge a line of output or reverse its
 * direction.
 */
function oneLine(text: Cell): string {
  return (text ?? "-").replace(HARMFUL, " ").replace(/[\t\n\r\p{Zl}\p{Zp}]/gu, " ");
}

/** Formats a time in UTC, to the second. */
export function time(iso: string | null | undefined): string {
  return iso ? iso.replace("T", " ").replace(/\.\d+Z$/, "Z") : "-";
}

const NAMES = {
  transfer: "this payment",
  release: "this payment",
  fund: "this payment",
  batch: "these payments",
  deposit: "this deposit",
} as const satisfies Partial<Record<PendingPayment["kind"], string>>;

/** Explains what to do about a payment whose outcome is unknown: run the same command again. */
function unknownText(error: OutcomeUnknown): string {
  const { pending, cause } = error;
  const until = lastDeadline(pending)
    ?.toISOString()
    .replace(/\.\d+Z$/, "Z");
  const why = (intro: string) =>
    cause === undefined ? "" : `\n${intro}: ${inCommandLineWords(toHalcyonError(cause).message)}`;
  if (pending.kind === "make_available") return roundsText(error, until, why);
  const again = pending.held
    ? `halcyon approve ${pending.held}`
    : `the same command with --idempotency-key ${callersKey(pending.id)}`;
  const [name, was] = [NAMES[pending.kind], pending.kind === "batch" ? "were" : "was"];
  return (
    `${red("unknown:")} it is not yet known whether ${name} ${was} made${until ? `; it can still settle until ${until}` : ""}.\n` +
    `Do not send it again as a new payment. To find out, run ${again}:\nit continues this payment and never pays twice.` +
    why("The service's last response, which is not proof")
  );
}

/**
 * Explains the same for making money available, which may take several transactions: which were made, and how to find
 * out about the rest.
 */
function roundsText(
  { pending, made }: OutcomeUnknown,
  until: string | undefined,
  why: (intro: string) => string,
): string {
  const round = roundOf(pending.id);
  const before = made === "part" ? round : round - 1;
  const known = before === 0 ? "" : ` ${before} ${before === 1 ? "transaction was" : "transactions were"} made.`;
  const open =
    made === "part"
      ? "The rest was not made."
      : `It is not yet known whether ${before === 0 ? "this" : "the next one"} was made${until ? `; it can still settle until ${until}` : ""}.`;
  const again = `the same command with --idempotency-key ${callersKey(pending.id)}`;
  return (
    `${red(made === "part" ? "partly made:" : "unknown:")}${known} ${open}\n` +
    "`halcyon sync` shows what is available now. Do not make the amount available again as a new one: run\n" +
    `${again}.\nIt looks at the chain first, continues, and adds no more than you asked for.` +
    why(made === "part" ? "Why it stopped" : "The service's last response, which is not proof")
  );
}

/**
 * Hints for people at a terminal, for errors whose message, which is also for programs, doesn't say what to do next.
 */
const HINTS: Partial<Record<ErrorCode, string>> = {
  handle_taken:
    "if the account is yours, use the wallet it was created with (--wallet-key-file, `halcyon profiles list`); otherwise " +
    "run the command again with another name, and use that name in what follows.",
};

/** Formats an error for standard error: in the API's shape with `--json`, otherwise as a sentence. */
export function errorText(error: HalcyonError, json: boolean): string {
  const message = inCommandLineWords(error.message);
  // Scripts recognize an unknown outcome by `outcome` and the exit status; `code` says what went wrong.
  const why = error.cause instanceof HalcyonError ? error.cause.code : "unavailable";
  const code = error.code === "outcome_unknown" ? why : error.code;
  const details =
    error instanceof ApiCallError
      ? { param: error.param, errors: error.errors, reason: error.reason, request_id: error.requestId }
      : {};
  const unknown =
    error instanceof OutcomeUnknown ? { outcome: "unknown", pending: error.pending, made: error.made } : {};
  const lost = error instanceof ResponseLost ? { outcome: "unknown", idempotency_key: error.idempotencyKey } : {};
  const open = error instanceof TransferNotFinal ? { outcome: "unknown", transfer_id: error.transfer.transfer_id } : {};
  if (json) return JSON.stringify({ error: { code, message, ...details, ...unknown, ...lost, ...open } });
  if (error instanceof OutcomeUnknown) return unknownText(error);
  const where = details.param ? ` (${details.param})` : "";
  const request = details.request_id ? `\nrequest: ${details.request_id}` : "";
  // The name of an agent is taken in one's own account.
  const hint = error.param === "name" ? undefined : HINTS[code as ErrorCode];
  return `${red("error:")} ${code}${where}: ${message}${hint ? `\nhint: ${hint}` : ""}${request}`;
}
