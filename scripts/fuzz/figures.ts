import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../stack/config";
import type { FuzzResult } from "./run";

const FILE = path.join(ROOT, "docs", "figures.md");
const HEAD = `## Random requests

\`npm run fuzz -- --minutes N\`. *Wrong* counts 5xx responses, responses that don't match the documentation, and responses
to a caller without access.

| day | seed | minutes | operations | requests | wrong |
|---|---|---|---|---|---|
`;

/** Appends a row to its table in docs/figures.md. */
export function recordFigures(run: FuzzResult & { seed: number; minutes: number }): void {
  const before = existsSync(FILE)
    ? readFileSync(FILE, "utf8")
    : "# Figures\n\nWhat long runs measured. Each section says how to measure again.\n";
  const text = before.includes(HEAD) ? before : `${before.trimEnd()}\n\n${HEAD}`;
  const day = new Date().toISOString().slice(0, 10);
  const row = `| ${[day, run.seed, run.minutes, run.operations, run.requests, run.faults.length].join(" | ")} |\n`;
  const from = text.indexOf(HEAD) + HEAD.length;
  const end = text.slice(from).search(/^(?!\|)/m);
  const at = end < 0 ? text.length : from + end;
  writeFileSync(FILE, text.slice(0, at) + row + text.slice(at));
}
