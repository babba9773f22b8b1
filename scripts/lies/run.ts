import { type Outcome, varying, wrongIn } from "./judge";
import { type Lie, liesAbout, lyingWith, type Recorded, recording } from "./lie";
import type { Verb } from "./verb";
import { PAYING, REPORTING } from "./verbs";
import type { World } from "./world";

/** A lie that came out wrongly. */
export interface Finding {
  verb: string;
  lie: string;
  wrong: string;
}

/** A verb, what an honest service has it report, and the lies that its responses give occasion for. */
export interface Case {
  verb: Verb;
  truth: unknown;
  /** Names of the report's fields that differ between two runs with an honest service. */
  varies: ReadonlySet<string>;
  lies: Lie[];
  /** What one run needs. What only reports does not use it up. */
  prepared: string;
}

/** Runs a verb once and waits until nothing is under way. */
async function outcomeOf(
  world: World,
  verb: Verb,
  prepared: string,
  meddle?: Parameters<World["client"]>[0],
): Promise<Outcome> {
  const since = await world.nextBlock();
  const client = await world.client(meddle);
  const [report, error] = await verb.run(client, world, prepared, meddle).then(
    (value): [unknown, unknown] => [JSON.parse(JSON.stringify(value ?? null)), undefined],
    (thrown: unknown): [unknown, unknown] => [undefined, thrown],
  );
  if (!verb.moves) return { report, error, moves: [], hashes: [] };
  await world.quiet();
  return { report, error, ...(await world.moved(since)) };
}

/** Returns the world that a verb runs in. */
const worldOf = (world: World, { firstSight }: Verb): World => (firstSight ? world.atFirstSight() : world);

/** Runs each verb twice with an honest service and derives the lies about it. */
export async function casesOf(all: World, verbs: readonly Verb[] = [...REPORTING, ...PAYING]): Promise<Case[]> {
  const cases: Case[] = [];
  for (const verb of verbs) {
    const world = worldOf(all, verb);
    const records: Recorded[][] = [];
    const truths: unknown[] = [];
    let prepared = (await verb.before?.(world)) ?? "";
    for (const recorded of [[], []] as Recorded[][]) {
      if (verb.moves && records.length > 0) prepared = (await verb.before?.(world)) ?? "";
      const done = await outcomeOf(world, verb, prepared, recording(recorded));
      const wanted = verb.moves?.(world) ?? [];
      if (done.error || String(done.moves.toSorted()) !== String(wanted.toSorted())) {
        throw new Error(`${verb.name} by an honest service moved ${done.moves}`, { cause: done.error });
      }
      records.push(recorded);
      truths.push(verb.moves ? ofRun(done.report, prepared) : done.report);
    }
    const [older = [], recorded = []] = records;
    const [before, truth] = truths;
    const varies = verb.moves && typeof truth !== "string" ? varying(before, truth) : new Set<string>();
    cases.push({ verb, truth, varies, prepared, lies: liesAbout(recorded, older) });
  }
  return cases;
}

/** Returns a report in which the id that a run was prepared with has the same name in every run. */
const ofRun = (report: unknown, prepared: string): unknown =>
  JSON.parse(
    JSON.stringify(report ?? null, (_, value) => {
      return typeof value === "string" && value.length > 20 && prepared.includes(value) ? "{prepared}" : value;
    }),
  );

/** Tries one lie. Returns what came out wrongly, null if nothing did; undefined if the lie found no occasion. */
async function judge(
  world: World,
  { verb, truth, varies }: Case,
  lie: Lie,
  prepared: string,
): Promise<string | null | undefined> {
  const { meddle, hasLied } = lyingWith(lie);
  const outcome = await outcomeOf(world, verb, prepared, meddle);
  if (!hasLied()) return undefined;
  const report = verb.moves ? ofRun(outcome.report, prepared) : outcome.report;
  const { labels, words, madeIn } = verb;
  const mayRest = verb.mayRest?.(lie.name);
  const [moves, addresses] = [verb.moves?.(world), world.addresses()];
  const expected = { truth, varies, labels, words, mayRest, madeIn, moves, addresses };
  return wrongIn(expected, { ...outcome, report });
}

/** Tries lies, and yields each one's finding; null when it came out right. */
export async function* tryAll(all: World, cases: readonly Case[]): AsyncGenerator<Finding | null> {
  for (const one of cases) {
    const world = worldOf(all, one.verb);
    for (const lie of one.lies) {
      const prepared = one.verb.moves ? ((await one.verb.before?.(world)) ?? "") : one.prepared;
      const wrong = await judge(world, one, lie, prepared);
      if (wrong === undefined) continue;
      yield wrong === null ? null : { verb: one.verb.name, lie: lie.name, wrong };
    }
  }
}
