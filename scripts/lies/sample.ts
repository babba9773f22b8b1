import { createHash } from "node:crypto";
import type { Lie } from "./lie";
import type { Case } from "./run";

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

/** Chooses so many of each verb's lies. */
export function sampleOfLies(cases: readonly Case[], seed: string, each: number): Case[] {
  return cases.map((one) => {
    return { ...one, lies: sampleOf(one.lies, ({ name }: Lie) => `${one.verb.name}/${name}`, seed, each) };
  });
}
