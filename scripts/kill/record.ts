import { execFileSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import path from "node:path";
import { ROOT } from "../stack/config";
import type { Part } from "./product";

export interface KillFigures {
  rounds: number;
  /** Duration of the whole run. */
  seconds: number;
  payments: number;
  /** Seconds from each kill until every process worked again. */
  recoveries: Map<Part | "proxy", number[]>;
  /** What was wrong afterwards. */
  wrong: string[];
}

/** Returns the figures as a table. */
export function table({ payments, seconds, recoveries, wrong }: KillFigures): string {
  const rows = [...recoveries].map(([part, times]) => {
    const sorted = [...times].sort((a, b) => a - b);
    const at = (index: number) => sorted[index]?.toFixed(1) ?? "";
    return `| ${part} | ${times.length} | ${at(Math.floor(sorted.length / 2))} | ${at(sorted.length - 1)} |`;
  });
  const promises = wrong.length === 0 ? "every promise was kept" : `${wrong.length} promises were broken`;
  return `| killed (kill -9) | times | all works again, median s | longest s |
|---|---|---|---|
${rows.join("\n")}

${payments} payments in ${seconds} s: ${promises} (each key one transfer, the recipient decrypts what was sent, nothing
pending, each event once and delivered).
`;
}

/** Appends the figures to docs/figures.md. */
export function appendFigures(figures: KillFigures): void {
  const file = path.join(ROOT, "docs", "figures.md");
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: ROOT, encoding: "utf8" }).trim();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? "unknown"}), ${gigabytes} GB, Node ${process.version}`;
  const date = new Date().toISOString().slice(0, 10);
  const title = `## Killing under load: \`npm run kill -- --rounds ${figures.rounds}\``;
  const text = `\n${title}\n\nCommit ${commit}, ${date}, ${machine}.\n\n${table(figures)}`;
  appendFileSync(file, text);
}
