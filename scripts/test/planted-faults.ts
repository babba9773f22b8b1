import { createHash } from "node:crypto";
import path from "node:path";

/** Where faults are planted: what the service does, what a screen shows, what the ledger and the proofs accept. */
export const AREAS = {
  verbs: /^lib\/(?!.*\.(test|d)\.).*\.ts$/,
  screens: /^components\/(?!.*\.test\.).*\.tsx?$/,
  contracts: /^contracts\/src\/(?!verifiers|interfaces|tokens).*\.sol$/,
  circuits: /^circuits\/src\/(?!poseidon).*\.circom$/,
} as const;
export type Area = keyof typeof AREAS;

/** A line that is replaced by another, or taken out. */
export interface Fault {
  area: Area;
  file: string;
  /** Counted from 1. */
  line: number;
  before: string;
  after: string;
}

/** One-character mistakes that programs are full of. */
const COMPARISONS: readonly (readonly [RegExp, string])[] = [
  [/ === /, " !== "],
  [/ !== /, " === "],
  [/ == /, " != "],
  [/ != /, " == "],
  [/ < /, " <= "],
  [/ > /, " >= "],
  [/ <= /, " < "],
  [/ >= /, " > "],
  [/ && /, " || "],
  [/ \|\| /, " && "],
  [/ \+ 1\b/, " + 2"],
  [/ - 1\b/, " - 2"],
  [/\breturn true;/, "return false;"],
  [/\breturn false;/, "return true;"],
  [/\bif \(!/, "if ("],
];

/** A check that is forgotten. */
const FORGOTTEN = [
  /^\s*(await )?(require|refuse|assert|check)[A-Z]\w*\([^;]*\);$/,
  /^\s*if \(.*\) (throw|revert) .*;$/,
  /^\s*if \(.*\) return( null| \[\])?;$/,
];

/** A constraint that binds nothing any more, or a bit more than it should let through. */
const CONSTRAINTS: readonly (readonly [RegExp, string])[] = [
  [/^(\s*)[^/]* === .*;$/, "$1"],
  [/\(64\)/, "(65)"],
  [/\(32\)/, "(33)"],
  [/ \+ /, " - "],
];

const NO_CODE = /^\s*(\/\/|\/?\*|import |export type |type |interface |pragma |include )/;

/** Returns every fault that a file's lines give occasion for. */
export function faultsOf(area: Area, file: string, source: string): Fault[] {
  return source.split("\n").flatMap((before, at) => {
    if (NO_CODE.test(before)) return [];
    const replacements = area === "circuits" ? CONSTRAINTS : COMPARISONS;
    const changed = replacements.map(([from, to]) => before.replace(from, to));
    const forgotten = area !== "circuits" && FORGOTTEN.some((one) => one.test(before)) ? [""] : [];
    const others = [...new Set([...changed, ...forgotten])].filter((after) => after !== before);
    return others.map((after) => ({ area, file, line: at + 1, before, after }));
  });
}

/** Orders what is given as a seed decides. */
function shuffled<T>(all: readonly T[], seed: string, nameOf: (one: T) => string): T[] {
  const rank = (one: T) =>
    createHash("sha256")
      .update(`${seed}/${nameOf(one)}`)
      .digest("hex");
  return all
    .map((one) => ({ one, rank: rank(one) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ one }) => one);
}

/** Chooses so many faults, each in a file of its own and as far as possible in a folder of its own. */
export function chooseFaults(all: readonly Fault[], seed: string, count: number): Fault[] {
  const chosen: Fault[] = [];
  const order = shuffled(all, seed, ({ file, line, after }) => `${file}:${line}:${after}`);
  const places = [(file: string) => path.dirname(file), (file: string) => file];
  for (const placeOf of places) {
    for (const fault of order) {
      if (chosen.length >= count) return chosen;
      if (!chosen.some(({ file }) => placeOf(file) === placeOf(fault.file))) chosen.push(fault);
    }
  }
  return chosen;
}

/** Returns a file's source with a fault in it. */
export function withFault(source: string, { line, before, after }: Fault): string {
  const lines = source.split("\n");
  if (lines[line - 1] !== before) throw new Error(`line ${line} is not ${before.trim()}`);
  lines[line - 1] = after;
  return lines.join("\n");
}

/** Returns a fault that was planted in an earlier source, at the nearest such line of today's; undefined if it has none. */
export function movedFault(source: string, fault: Fault): Fault | undefined {
  const lines = source.split("\n").flatMap((text, at) => (text === fault.before ? [at + 1] : []));
  const [line] = lines.sort((a, b) => Math.abs(a - fault.line) - Math.abs(b - fault.line));
  return line === undefined ? undefined : { ...fault, line };
}

/** Orders test files by how near they stand to a source: same name, same folder, then by folders in common. */
export function nearest(source: string, tests: readonly string[]): string[] {
  const stem = source.replace(/\.\w+$/, "");
  const folders = path.dirname(source).split("/");
  const distance = (test: string) => {
    if (test.startsWith(`${stem}.`)) return -1;
    const own = path.dirname(test).split("/");
    const common = folders.findIndex((folder, at) => own[at] !== folder);
    const shared = common < 0 ? folders.length : common;
    return folders.length - shared + (own.length - shared);
  };
  return [...tests].sort((a, b) => distance(a) - distance(b) || (a < b ? -1 : 1));
}
