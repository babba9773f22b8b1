import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../stack/config";
import type { SimulateResult } from "./run";

const FILE = path.join(ROOT, "docs", "figures.md");
const HEAD = `## Simulation: \`npm run simulate -- --seed N --record\`

What people do while processes are killed (kill -9), the clock moves and the chain's node lies; afterwards the chain and
everyone's own keys show which promises were kept. *Wrong* counts those that were not. A day's runs add up in one row.

| day | seeds | steps | payments | kills | transfers | events | minutes | wrong |
|---|---|---|---|---|---|---|---|---|
`;

/** Adds a run to its day's row in docs/figures.md. */
export function recordRun(day: string, result: SimulateResult): void {
  writeFileSync(FILE, withRun(readFileSync(FILE, "utf8"), day, result));
}

/** The text with a run in it: in its day's row, or in a new one below the others. */
export function withRun(before: string, day: string, result: SimulateResult): string {
  const text = before.includes(HEAD) ? before : `${before.trimEnd()}\n\n${HEAD}`;
  const { steps, payments, kills, transfers, events, seconds, wrong } = result;
  const run = [1, steps, payments, kills, transfers, events, seconds / 60, wrong.length];
  const from = text.indexOf(HEAD) + HEAD.length;
  const end = text.slice(from).search(/^(?!\|)/m);
  const at = end < 0 ? text.length : from + end;
  const rows = text.slice(from, at).split("\n").filter(Boolean);
  const same = rows.findIndex((row) => row.startsWith(`| ${day} |`));
  const old = rows[same]?.split("|").slice(2, -1).map(Number) ?? run.map(() => 0);
  const sum = run.map((value, column) => Math.round((value + (old[column] ?? 0)) * 10) / 10);
  rows.splice(same < 0 ? rows.length : same, 1, `| ${[day, ...sum].join(" | ")} |`);
  return `${text.slice(0, from)}${rows.join("\n")}\n${text.slice(at)}`;
}
