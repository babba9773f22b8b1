import type { Verb } from "./client-action";
import { World } from "./lying-service";
import { type Case, casesOf, type Finding, tryAll } from "./run";
import { sampleOfLies } from "./sample";

/**
 * Tries the lies about each verb, prints the figures, and returns what came out wrongly.
 *
 * @param verbs each with how many of its lies to try
 * @param seed decides which
 */
export async function tryLies(verbs: readonly { verb: Verb; each: number }[], seed: string): Promise<Finding[]> {
  const shared = await World.create();
  const wrong: Finding[] = [];
  let all = 0;
  for (const { verb, each } of verbs.toSorted((a, b) => Number(a.verb.last ?? false) - Number(b.verb.last ?? false))) {
    const started = performance.now();
    const world = verb.alone ? await World.create() : shared;
    const cases = await casesOf(world, [verb]).catch((error: Error): Case[] => {
      const why = `${error.message} ${error.cause ?? ""}`;
      wrong.push({ verb: verb.name, lie: "none", wrong: why });
      console.log(`${verb.name}: fails with an honest service: ${why}`);
      return [];
    });
    if (cases.length === 0) continue;
    const given = cases.reduce((sum, { lies }) => sum + lies.length, 0);
    let [tried, found] = [0, 0];
    for await (const finding of tryAll(world, sampleOfLies(cases, seed, each))) {
      tried += 1;
      if (!finding) continue;
      found += 1;
      wrong.push(finding);
      console.log(`${verb.name}: ${finding.lie}\n  ${finding.wrong.slice(0, 500)}`);
    }
    if (tried === 0) throw new Error(`no lie about ${verb.name} found an occasion`);
    const seconds = Math.round((performance.now() - started) / 1000);
    console.log(`${verb.name}: ${given} lies, ${tried} tried, ${found} came out wrongly (${seconds} s)`);
    all += tried;
  }
  console.log(`${all} lies; ${wrong.length} came out otherwise than they should`);
  return wrong;
}
