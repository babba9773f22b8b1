import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../stack/config";
import { type Operation, QUIET_FAULTS } from "./operations";
import type { SimulateResult } from "./run";

const FILE = path.join(ROOT, "docs", "figures.md");
const HEAD = `## Simulation: \`npm run simulate -- --seed N --record\`

What people do while processes are killed (kill -9), the clock moves and the chain's node lies; afterwards the chain and
everyone's own keys show which promises were kept. *Wrong* counts those that were not. A day's runs add up in one row.

| day | seeds | steps | payments | kills | transfers | events | minutes | wrong |
|---|---|---|---|---|---|---|---|---|
`;

/** What is rare, so that it can be seen how often it was tried. */
const RARE = [
  "rotate",
  "new_key",
  "decide",
  "policy",
  "schedule",
  "withdraw",
  "refund",
  "pay_failing",
  "clock",
  "reorganize",
  "rpc",
  "lie",
] as const satisfies readonly Operation["kind"][];

const HEAD_OF_RARE = `How often what is rare was done in them, by the names of \`operations.ts\` (since 2026-11-26, 07:00):

| day | seeds | ${RARE.join(" | ")} |
|---|---|${RARE.map(() => "---|").join("")}
`;

const HEAD_OF_QUIET = `The faults that announce themselves by silence, refusals and delays alone (since 2026-11-29):

| day | seeds | ${QUIET_FAULTS.join(" | ")} |
|---|---|${QUIET_FAULTS.map(() => "---|").join("")}
`;

const HEAD_OF_BLIND = `Requests of accounts and agents with blind keys, by two proxies and the SDK in turn, and how many of them two
processes made at once (since 2026-11-30, 19:00). *Kills* above are of processes of the service alone:

| day | seeds | requests | by two at once | proxies killed |
|---|---|---|---|---|
`;

/** Adds a run to its day's rows in docs/figures.md. */
export function recordRun(day: string, result: SimulateResult): void {
  writeFileSync(FILE, withRun(readFileSync(FILE, "utf8"), day, result));
}

/** The text with a run in it: in its day's rows, or in new ones below the others. */
export function withRun(text: string, day: string, result: SimulateResult): string {
  const { steps, payments, kills, transfers, events, seconds, done, blind, wrong } = result;
  const run = [1, steps, payments, kills, transfers, events, seconds / 60, wrong.length];
  const times = (kinds: readonly Operation["kind"][]) => [1, ...kinds.map((kind) => done[kind] ?? 0)];
  const withRare = withRow(withRow(text, HEAD, day, run), HEAD_OF_RARE, day, times(RARE));
  const withQuiet = withRow(withRare, HEAD_OF_QUIET, day, times(QUIET_FAULTS));
  return withRow(withQuiet, HEAD_OF_BLIND, day, [1, blind.requests, blind.together, blind.kills]);
}

function withRow(before: string, head: string, day: string, run: readonly number[]): string {
  const text = before.includes(head) ? before : `${before.trimEnd()}\n\n${head}`;
  const from = text.indexOf(head) + head.length;
  const end = text.slice(from).search(/^(?!\|)/m);
  const at = end < 0 ? text.length : from + end;
  const rows = text.slice(from, at).split("\n").filter(Boolean);
  const same = rows.findIndex((row) => row.startsWith(`| ${day} |`));
  const old = rows[same]?.split("|").slice(2, -1).map(Number) ?? run.map(() => 0);
  const sum = run.map((value, column) => Math.round((value + (old[column] ?? 0)) * 10) / 10);
  rows.splice(same < 0 ? rows.length : same, 1, `| ${[day, ...sum].join(" | ")} |`);
  return `${text.slice(0, from)}${rows.join("\n")}\n${text.slice(at)}`;
}
