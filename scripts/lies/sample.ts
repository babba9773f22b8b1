import { createHash } from "node:crypto";
import type { Verb } from "./client-action";
import { PAYING, REPORTING } from "./client-actions";
import type { Lie } from "./falsify-response";
import type { Case } from "./run";

/** How many verbs `npm test` tries, and how many lies about each: 45 CPU seconds in all. */
const SAMPLE = [
  { verbs: REPORTING, size: 4, each: 8 },
  { verbs: PAYING, size: 2, each: 3 },
];

/**
 * Decides what `npm test` tries. It is constant, so that the result of a run depends on the code alone. Other lies are
 * tried by another seed, or all of them (`npm run test:long`).
 */
export const SEED = "always the same";

/** Returns as many verbs as `npm test` tries, chosen by a seed, and how many lies about each. */
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
