import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../stack/config";
import type { Lie } from "./lie";
import type { Case } from "./run";
import type { Verb } from "./verb";
import { PAYING, REPORTING } from "./verbs";

/** How many verbs `npm test` tries, and how many lies about each: 45 CPU seconds in all. */
const SAMPLE = [
  { verbs: REPORTING, size: 4, each: 8 },
  { verbs: PAYING, size: 2, each: 3 },
];

/** Returns what decides the sample: the hash of the commit, or the version where there is no repository. */
export function seedOfCommit(): string {
  try {
    const stdio: "pipe"[] = ["pipe", "pipe", "pipe"];
    return execFileSync("git", ["rev-parse", "HEAD"], { cwd: ROOT, encoding: "utf8", stdio }).trim();
  } catch {
    return (JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as { version: string }).version;
  }
}

/** Returns the verbs that `npm test` tries with a seed, and how many lies about each. */
export function verbsOf(seed: string): { verb: Verb; each: number }[] {
  return SAMPLE.flatMap(({ verbs, size, each }) => {
    return sampleOf(verbs, ({ name }) => name, seed, size).map((verb) => ({ verb, each }));
  });
}

/** Chooses some of what is given; the seed decides which. */
export function sampleOf<T>(all: readonly T[], nameOf: (one: T) => string, seed: string, size: number): T[] {
  const rank = (one: T) =>
    createHash("sha256")
      .update(`${seed}/${nameOf(one)}`)
      .digest("hex");
  const ranked = all.map((one) => ({ one, rank: rank(one) }));
  ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1));
  return ranked.slice(0, size).map(({ one }) => one);
}

/** Chooses so many of each verb's lies, the same ones in every run with a seed. */
export function sampleOfLies(cases: readonly Case[], seed: string, each: number): Case[] {
  return cases.map((one) => {
    return { ...one, lies: sampleOf(one.lies, ({ place }: Lie) => `${one.verb.name}/${place}`, seed, each) };
  });
}
