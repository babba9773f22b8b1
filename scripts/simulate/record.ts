import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../stack/config";
import type { SimulateResult } from "./run";

const FILE = path.join(ROOT, "docs", "figures.md");
const HEAD = `## Simulation: \`npm run simulate -- --seed N --record\`

What people do while processes are killed (kill -9), the clock moves and the chain's node lies; afterwards the chain and
everyone's own keys show which promises were kept. *Wrong* counts those that were not.

| day | seed | steps | payments | kills | transfers | events | seconds | wrong |
|---|---|---|---|---|---|---|---|---|
`;

/** Adds a row to docs/figures.md, below the others of its table. */
export function recordRun(day: string, result: SimulateResult): void {
  const { seed, steps, payments, kills, transfers, events, seconds, wrong } = result;
  const before = readFileSync(FILE, "utf8");
  const text = before.includes(HEAD) ? before : `${before.trimEnd()}\n\n${HEAD}`;
  const row = `| ${[day, seed, steps, payments, kills, transfers, events, seconds, wrong.length].join(" | ")} |\n`;
  const from = text.indexOf(HEAD) + HEAD.length;
  const end = text.slice(from).search(/^(?!\|)/m);
  const at = end < 0 ? text.length : from + end;
  writeFileSync(FILE, text.slice(0, at) + row + text.slice(at));
}
