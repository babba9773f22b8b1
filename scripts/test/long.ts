import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../stack/config";

/** Runs one test file that takes too long for `npm test`. */
const testFile = (file: `test/long/${string}`) =>
  ["node_modules/vitest/vitest.mjs", "run", "--project", "long", file] as const;

/**
 * What `npm run test:long` runs: a script of this repository (or a test file) with its arguments,
 * and whether that takes `--record` for figures of its own.
 */
export const LONG = {
  attack: { command: ["scripts/attack.ts"], records: false },
  lies: { command: ["scripts/attack.ts", "lies"], records: false },
  kill: { command: ["scripts/kill.ts", "--rounds", "10"], records: true },
  simulate: { command: ["scripts/simulate.ts", "--minutes", "30"], records: true },
  keys: { command: ["scripts/build-circuits.ts", "--check"], records: false },
  fuzz: { command: ["scripts/fuzz.ts", "--minutes", "60"], records: false },
  installed: { command: ["scripts/test-installed.ts"], records: false },
  "self-hosting": { command: testFile("test/long/self-hosting.test.ts"), records: false },
  "blind-leaks": { command: testFile("test/long/blind-leaks.test.ts"), records: false },
  "many-payments": { command: testFile("test/long/many-payments.test.ts"), records: false },
  planted: { command: testFile("test/long/planted.test.ts"), records: false },
  next: { command: ["scripts/test-next.ts"], records: false },
} as const satisfies Record<string, { command: readonly [string, ...string[]]; records: boolean }>;

export type LongPart = keyof typeof LONG;

/** One part's run. */
interface LongRun {
  name: LongPart;
  minutes: number;
  passed: boolean;
  /** The last line that it printed. */
  last: string;
}

const FILE = path.join(ROOT, "docs", "figures.md");
const HEAD = `## What takes longer: \`npm run test:long -- --record\`

| day | commit | part | minutes | result | its last line |
|---|---|---|---|---|---|
`;

/** Returns the text of docs/figures.md with one more run in its table. */
export function withLongRun(
  before: string,
  day: string,
  commit: string,
  { name, minutes, passed, last }: LongRun,
): string {
  const text = before.includes(HEAD) ? before : `${before.trimEnd()}\n\n${HEAD}`;
  const shown = last.replaceAll("|", "/").slice(0, 120);
  const cells = [day, commit, name, minutes.toFixed(1), passed ? "passed" : "failed", shown];
  const from = text.indexOf(HEAD) + HEAD.length;
  const end = text.slice(from).search(/^(?!\|)/m);
  const at = end < 0 ? text.length : from + end;
  return `${text.slice(0, at)}| ${cells.join(" | ")} |\n${text.slice(at)}`;
}

/** Adds a run to its table in docs/figures.md. */
export function recordLong(run: LongRun): void {
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: ROOT, encoding: "utf8" }).trim();
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(FILE, withLongRun(readFileSync(FILE, "utf8"), day, commit, run));
}
