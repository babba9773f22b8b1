import { writeFile } from "node:fs/promises";
import { Option } from "commander";
import type { Statement } from "@/lib/payments/statements/statement";
import { statementText, TEXT_FORMATS, type TextFormat } from "@/lib/payments/statements/statement-text";
import { HalcyonError } from "../api/errors";
import type { GlobalOptions } from "./environment";
import { dayOrTime } from "./option-values";
import { table } from "./output";
import type { AddCommand } from "./program";
import { withExamples } from "./with-examples";

interface Options {
  from: string;
  to: string;
  timeZone?: string;
  agent?: string;
  withAgents?: boolean;
  asset?: string;
  format?: TextFormat | "pdf";
  out?: string;
}

/** The command's result: the statement, and the contents of the file to print. */
interface Made {
  statement: Statement;
  file: string | null;
}

const unknown = (amount: string | null) => amount ?? "not known";

function summary({ accounts, assets, problems, adds_up, from, to, time_zone }: Statement): string {
  const lines = assets.map(({ asset, opening, paid_in, paid_out, closing, rows }) => [
    asset,
    unknown(opening),
    paid_in,
    paid_out,
    unknown(closing),
    String(rows),
  ]);
  return [
    `Statement of ${accounts.map(({ name }) => name).join(", ")}`,
    `${from} to before ${to}, days in ${time_zone}`,
    "",
    table(["asset", "opening", "paid in", "paid out", "closing", "movements"], lines, "No balances and no movements."),
    ...(adds_up ? [] : ["", "This statement does not add up with the chain. Do not rely on it:"]),
    ...problems.map(({ message }) => `- ${message}`),
  ].join("\n");
}

async function contentOf(statement: Statement, format: TextFormat | "pdf"): Promise<string | Uint8Array> {
  if (format === "pdf") return (await import("@/lib/payments/statements/statement-pdf")).statementPdf(statement);
  try {
    return statementText(statement, format);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new HalcyonError("invalid_request", cause.message, { cause });
  }
}

/** Writes a file that only its owner can read, because it contains plain amounts. */
async function save(path: string, content: string | Uint8Array): Promise<void> {
  await writeFile(path, content, { mode: 0o600 }).catch((cause: unknown) => {
    throw new HalcyonError("invalid_request", `Cannot write ${path}.`, { cause });
  });
}

/** `statement`. */
export const statementCommands: AddCommand = (program, reports) => {
  const statement = withExamples(
    program
      .command("statement")
      .description("make a statement of a period, decrypted on this machine (needs the wallet or viewing key)")
      .requiredOption("--from <day>", "the first day, such as 2026-11-01, or a time with its zone", dayOrTime)
      .requiredOption("--to <day>", "the last day, or the first time that is no longer part of it", dayOrTime)
      .option("--time-zone <name>", "in which days begin and end, such as Europe/Zurich; this machine's when left out")
      .option("--agent <name>", "only this agent's")
      .option("--with-agents", "the account and all its agents together")
      .option("--asset <asset>", "only this asset")
      .addOption(new Option("--format <format>", "as a file").choices([...TEXT_FORMATS, "pdf"]))
      .option("--out <file>", "where to save the file"),
    "statement --from 2026-11-01 --to 2026-11-30",
    "statement --from 2026-11-01 --to 2026-11-30 --with-agents --format pdf --out november.pdf",
    "statement --from 2026-01-01 --to 2026-12-31 --time-zone Europe/Zurich --format csv > 2026.csv",
  );
  statement.action(() =>
    reports.withClient<Made | Statement>(
      statement,
      async ({ statements }) => {
        const { format, out, ...input } = statement.opts<Options>();
        if (out !== undefined && format === undefined) {
          throw new HalcyonError("invalid_request", "--out goes with --format.");
        }
        if (format === "pdf" && out === undefined) {
          throw new HalcyonError("invalid_request", "Name the file to save the PDF as with --out.");
        }
        const created = await statements.create(input);
        const file = format === undefined ? null : await contentOf(created, format);
        // Without a byte order mark, spreadsheets read a file of CSV in another encoding.
        if (out !== undefined && file) await save(out, format === "csv" ? `\ufeff${file}` : file);
        const { json, field } = statement.optsWithGlobals<GlobalOptions>();
        // Programs always get the same shape, whatever file was saved.
        if (json || field !== undefined) return created;
        return { statement: created, file: out === undefined && typeof file === "string" ? file : null };
      },
      (result) => {
        if (!("statement" in result)) return summary(result);
        if (result.file) return result.file.trimEnd();
        return summary(result.statement);
      },
    ),
  );
};
