import type { HalcyonError } from "../api/errors";
import { ApiCallError } from "../api/errors";
import { toHalcyonError } from "../api/to-halcyon-error";
import { OutcomeUnknown, ResponseLost } from "../attempts/outcome-unknown";
import { lastDeadline } from "../attempts/pending-payment";
import { bold, dim, red } from "./style";

/** Columns aligned by spaces, headings in capitals. An empty table is one line that says so. */
export function table(headings: string[], rows: (string | null | undefined)[][], none: string): string {
  if (rows.length === 0) return none;
  const cells = [
    headings.map((heading) => heading.toUpperCase()),
    ...rows.map((row) => row.map((cell) => oneLine(cell))),
  ];
  const widths = headings.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  const [head = "", ...lines] = cells.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return [bold(head), ...lines].join("\n");
}

/** Names and values under each other. Values that are not there are left out. */
export function fields(values: Record<string, string | number | boolean | null | undefined>): string {
  const shown = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${dim(name.padEnd(width))}  ${oneLine(String(value))}`).join("\n");
}

/** What others wrote (memos, labels) may not move the cursor or forge a line of our output. */
function oneLine(text: string | null | undefined): string {
  return (text ?? "-").replace(/\p{Cc}/gu, " ");
}

/** A local date and time to the second. */
export function time(iso: string | null | undefined): string {
  return iso ? iso.replace("T", " ").replace(/\.\d+Z$/, "Z") : "-";
}

/** What a person does about a payment whose outcome is open: the same command again. */
function unknownText({ pending, cause }: OutcomeUnknown): string {
  const until = lastDeadline(pending)
    ?.toISOString()
    .replace(/\.\d+Z$/, "Z");
  const why =
    cause === undefined ? "" : `\nThe service's last response, which is not proof: ${toHalcyonError(cause).message}`;
  const again = pending.held
    ? `halcyon approve ${pending.held}`
    : `the same command with --idempotency-key ${pending.id}`;
  return (
    `${red("unknown:")} it is not yet known whether this payment was made${until ? `; it can still settle until ${until}` : ""}.\n` +
    `Do not send it again as a new payment. To find out, run ${again}:\nit continues this payment and never pays twice.${why}`
  );
}

/** An error for standard error: the API's own shape with `--json`, else a sentence. */
export function errorText(error: HalcyonError, json: boolean): string {
  const details =
    error instanceof ApiCallError
      ? { param: error.param, errors: error.errors, reason: error.reason, request_id: error.requestId }
      : {};
  const unknown = error instanceof OutcomeUnknown ? { outcome: "unknown", pending: error.pending } : {};
  const lost = error instanceof ResponseLost ? { outcome: "unknown", idempotency_key: error.idempotencyKey } : {};
  if (json)
    return JSON.stringify({ error: { code: error.code, message: error.message, ...details, ...unknown, ...lost } });
  if (error instanceof OutcomeUnknown) return unknownText(error);
  const where = details.param ? ` (${details.param})` : "";
  const request = details.request_id ? `\nrequest: ${details.request_id}` : "";
  return `${red("error:")} ${error.code}${where}: ${error.message}${request}`;
}
