import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { Option } from "commander";
import { HalcyonError, type HalcyonErrorCode } from "../api/errors";
import { fileText } from "../api/file-text";
import type { Payout, PayoutCheck, PayoutRow } from "../api/resources/payouts";
import type { Halcyon } from "../client";
import { inFile, type PayoutFile, readPayoutFile, rowPlace } from "../payments/payouts/payout-file";
import { payoutTotals } from "../payments/payouts/payout-totals";
import { withUnclear } from "../payments/payouts/unclear-amounts";
import { KEY } from "./idempotency-key-option";
import { moreOf } from "./listing";
import { integer } from "./option-values";
import { fields, table, time } from "./output";
import type { AddCommand } from "./program";
import { withExamples } from "./with-examples";

interface Options {
  yes?: boolean;
  idempotencyKey?: string;
  allowDuplicates?: boolean;
}

const ASSETS = [
  { symbol: "USDG", decimals: 6 },
  { symbol: "ETH", decimals: 9 },
] as const;

async function readRows(file: string): Promise<PayoutFile> {
  const bytes = await readFile(file === "-" ? "/dev/stdin" : file).catch((cause) => {
    throw new HalcyonError("invalid_request", "The file can't be read. Check its path.", { param: "file", cause });
  });
  return readPayoutFile(fileText(bytes));
}

/** Creates the error that lists the faults of rows, each with its place in the file. */
function refuse(found: PayoutCheck["faults"], file: PayoutFile): HalcyonError {
  // From the top of the file to its end, then what is wrong with all rows together.
  const faults = inFile(file, found).toSorted((a, b) => (a.row ?? Infinity) - (b.row ?? Infinity));
  const list = faults.map(({ row, param, message }) =>
    row === null ? message : `${rowPlace(file, row)}, ${param}: ${message}`,
  );
  const errors = faults.map(({ row, param, message }) => {
    return { param: row === null ? param : `rows.${row - 1}.${param}`, message };
  });
  const heading = faults.length === 1 ? "1 error" : `${faults.length} errors`;
  const isOfFunds = faults.every(({ row }) => row === null);
  return new HalcyonError(
    isOfFunds ? "insufficient_balance" : "invalid_request",
    [`${heading}:`, ...list, "This command paid nothing."].join("\n"),
    { errors },
  );
}

/**
 * Checks the rows of a file, asks, and pays them.
 *
 * @throws HalcyonError with every fault of the file at once
 */
export async function payFile({ payouts }: Halcyon, file: string, options: Options, say: (text: string) => void) {
  const { yes, allowDuplicates, idempotencyKey = crypto.randomUUID() } = options;
  const content = await readRows(file);
  const input = { rows: content.rows, allowDuplicates };
  // Skip the check when continuing a payout: it was checked already, and part of its money is already paid.
  const isChecked = options.idempotencyKey !== undefined && yes;
  const { faults: found } = isChecked
    ? { faults: [] }
    : await payouts.check(input).catch((error: unknown) => {
        // The unclear amounts are known without the service.
        if (content.unclear.length > 0) return { faults: [] };
        throw error;
      });
  const faults = withUnclear(content.unclear, found);
  if (faults.length > 0) throw refuse(faults, content);
  const totals = payoutTotals(content.rows, ASSETS).map(({ asset, amount }) => `${amount} ${asset}`);
  const review = `${content.rows.length === 1 ? "1 payment" : `${content.rows.length} payments`}, in total ${totals.join(" and ")}`;
  if (!yes && !(await askYes(`Pay ${review}?`))) {
    throw new HalcyonError("invalid_request", `Confirm with --yes: ${review}. This command paid nothing.`);
  }
  const payout = await payouts.create(input, {
    idempotencyKey,
    onProgress: ({ rows, rows_paid, rows_failed, rows_sent, rows_cancelled }) => {
      const cancelled = rows_cancelled > 0 ? `, ${rows_cancelled} cancelled` : "";
      say(`${rows_paid} of ${rows} paid, ${rows_sent} on the way, ${rows_failed} failed${cancelled}`);
    },
  });
  return ended(payout, idempotencyKey);
}

/**
 * Returns a payout that has ended.
 *
 * @throws HalcyonError with the reason when the payout is paused
 */
function ended(payout: Payout, idempotencyKey?: string): Payout {
  if (payout.status !== "paused") return payout;
  const again = idempotencyKey === undefined ? "" : `, or the command again with --idempotency-key ${idempotencyKey}`;
  throw new HalcyonError(
    (payout.pause_reason ?? "unavailable") as HalcyonErrorCode,
    `The payout is paused with ${payout.rows_paid} of ${payout.rows} rows paid. Once the cause is gone, run ` +
      `\`halcyon payouts resume ${payout.payout_id}\`${again}. No row is paid twice.`,
  );
}

const showPayout = (payout: Payout) =>
  fields({
    payout_id: payout.payout_id,
    status: payout.status,
    reason: payout.status === "paused" ? (payout.pause_reason ?? "no request works on it") : null,
    rows: payout.rows,
    paid: payout.rows_paid,
    failed: payout.rows_failed,
    "on the way": payout.rows_sent,
    "to be paid": payout.rows_pending,
    cancelled: payout.rows_cancelled || null,
    created: time(payout.created_at),
    finished: payout.finished_at && time(payout.finished_at),
  });

const ID = "po_01KADJ2C9B3T6Y0V8ZQ4N5M7WX";

/** `payout FILE`, `payouts`, `payouts show`, `payouts rows`, `payouts resume`, `payouts cancel`. */
export const payoutCommands: AddCommand = (program, reports) => {
  const payout = withExamples(
    program
      .command("payout")
      .description("pay the rows of a file, CSV or JSON, with an API key; every row is checked before any is paid")
      .argument("<file>", "columns to, amount and if you like asset, memo, reference; - reads standard input")
      .option("--yes", "pay without asking")
      .option("--allow-duplicates", "take rows with the same recipient, asset, amount and reference")
      .option(...KEY),
    "payout wages.csv",
    "payout wages.csv --yes --idempotency-key wages-2026-11 --json",
  );
  payout.action((file: string) =>
    reports.withClient(
      payout,
      (client, _access, say) => payFile(client, file, payout.opts<Options>(), say),
      (paid) => showPayout(paid),
    ),
  );

  const list = withExamples(
    program
      .command("payouts")
      .description("payouts, newest first")
      .option("--limit <number>", "how many, up to 100", integer, 20)
      .option("--starting-after <id>", "what follows this payout in the list")
      .addOption(
        new Option("--status <status>", "only those with this status").choices([
          "processing",
          "paused",
          "finished",
          "cancelled",
        ]),
      ),
    "payouts --status paused",
  );
  list.action(() =>
    reports.withClient(
      list,
      ({ payouts }) => payouts.list(list.opts<{ status?: Payout["status"] }>()),
      ({ payouts, has_more }) =>
        `${table(
          ["created", "id", "status", "rows", "paid", "failed"],
          payouts.map((one) => [
            time(one.created_at),
            one.payout_id,
            one.status,
            String(one.rows),
            String(one.rows_paid),
            String(one.rows_failed),
          ]),
          "No payouts.",
        )}${moreOf({ has_more })}`,
    ),
  );

  const show = withExamples(
    list.command("show").description("one payout with its progress").argument("<id>", "po_…"),
    `payouts show ${ID}`,
  );
  show.action((id: string) => reports.withClient(show, ({ payouts }) => payouts.retrieve(id), showPayout));

  const rows = withExamples(
    list
      .command("rows")
      .description("the rows of a payout with their transfers")
      .argument("<id>", "po_…")
      .option("--failed", "only those that failed, and why"),
    `payouts rows ${ID} --failed`,
  );
  rows.action((id: string) =>
    reports.withClient(
      rows,
      async ({ payouts }) => {
        const all: PayoutRow[] = [];
        const filter = { limit: 100, ...(rows.opts<{ failed?: true }>().failed && { status: "failed" as const }) };
        for await (const row of payouts.rows(id, filter)) all.push(row);
        return { rows: all };
      },
      (found) =>
        table(
          ["row", "status", "to", "reference", "transfer", "error"],
          found.rows.map(({ row, status, to, reference, transfer_id, error }) => [
            String(row),
            status,
            to,
            reference,
            transfer_id,
            error && `${error.code}: ${error.message}`,
          ]),
          "No such rows.",
        ),
    ),
  );

  const resume = withExamples(
    list.command("resume").description("go on with a payout that is paused").argument("<id>", "po_…"),
    `payouts resume ${ID}`,
  );
  resume.action((id: string) =>
    reports.withClient(resume, async ({ payouts }) => ended(await payouts.resume(id)), showPayout),
  );

  const cancel = withExamples(
    list.command("cancel").description("cancel the rows that are not paid yet").argument("<id>", "po_…"),
    `payouts cancel ${ID}`,
  );
  cancel.action((id: string) => reports.withClient(cancel, ({ payouts }) => payouts.cancel(id), showPayout));
};

/** Asks a person at the terminal for confirmation. Returns false without a terminal. */
async function askYes(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
