import { casesOf, tryAll } from "./run";
import { sampleOfLies } from "./sample";
import { PAYING, REPORTING } from "./verbs";
import { World } from "./world";

/**
 * Tries the lies about each verb, prints what came out wrongly and the figures, and returns how many did.
 *
 * @param name of one verb; default: all
 * @param each how many lies of each verb
 */
export async function tryLies(name: string | undefined, each: number): Promise<number> {
  const world = await World.create();
  let [all, wrong] = [0, 0];
  for (const verb of [...REPORTING, ...PAYING]) {
    if (name !== undefined && verb.name !== name) continue;
    const started = performance.now();
    const cases = sampleOfLies(await casesOf(world, [verb]), "all", each);
    let [tried, found] = [0, 0];
    for await (const finding of tryAll(world, cases)) {
      tried += 1;
      if (!finding) continue;
      found += 1;
      console.log(`${finding.verb}: ${finding.lie}\n  ${finding.wrong.slice(0, 500)}`);
    }
    const seconds = Math.round((performance.now() - started) / 1000);
    console.log(`${verb.name}: ${tried} lies, ${found} came out wrongly (${seconds} s)`);
    all += tried;
    wrong += found;
  }
  console.log(`${all} lies; ${wrong} came out otherwise than they should`);
  return wrong;
}
