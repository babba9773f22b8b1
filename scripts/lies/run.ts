import { type Outcome, varying, wrongIn } from "./check-outcome";
import type { Verb } from "./client-action";
import { PAYING, REPORTING } from "./client-actions";
import { type Lie, liesAbout, lyingWith, type Recorded, recording } from "./falsify-response";
import { WAIT_MS, type World } from "./lying-service";

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

/**
 * Waits until the clock shows another second: a time that two runs of a verb take from it, to the second or finer, then
 * differs in every run of this check, and not by chance.
 */
async function nextSecond(): Promise<void> {
  const second = () => Math.floor(Date.now() / 1000);
  for (const before = second(); second() === before; ) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Returns what a run of a verb should do. */
function expectedOf(world: World, { verb, truth, varies }: Pick<Case, "verb" | "truth" | "varies">, lie?: Lie) {
  const { labels, madeIn } = verb;
  const mayRest = lie && verb.mayRest?.(lie.name);
  const [moves, addresses] = [verb.moves?.(world), world.addresses()];
  return { truth, varies, labels, mayRest, madeIn, moves, addresses };
}

/**
 * Runs each verb twice with an honest service and derives the lies about it.
 *
 * @throws Error if the two runs report differently: a lie would be found where there is only a clock
 */
export async function casesOf(all: World, verbs: readonly Verb[] = [...REPORTING, ...PAYING]): Promise<Case[]> {
  const cases: Case[] = [];
  for (const verb of verbs) {
    const world = worldOf(all, verb);
    const records: Recorded[][] = [];
    const outcomes: Outcome[] = [];
    let prepared = (await verb.before?.(world)) ?? "";
    for (const recorded of [[], []] as Recorded[][]) {
      if (records.length > 0) await nextSecond();
      if (verb.moves && records.length > 0) prepared = (await verb.before?.(world)) ?? "";
      const done = await outcomeOf(world, verb, prepared, recording(recorded));
      const wanted = verb.moves?.(world) ?? [];
      if (done.error || String(done.moves.toSorted()) !== String(wanted.toSorted())) {
        throw new Error(`${verb.name} by an honest service moved ${done.moves}`, { cause: done.error });
      }
      records.push(recorded);
      outcomes.push({ ...done, report: verb.moves ? ofRun(done.report, prepared) : done.report });
    }
    const [older = [], recorded = []] = records;
    const [first, second] = outcomes as [Outcome, Outcome];
    const truth = second.report;
    const isCompared = verb.moves && typeof truth !== "string";
    const varies = isCompared ? varying(first.report, truth, verb.labels) : new Set<string>();
    const differs = wrongIn(expectedOf(world, { verb, truth: first.report, varies }), second);
    if (differs) throw new Error(`${verb.name} reports otherwise a second later: ${differs}`);
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
async function judge(world: World, one: Case, lie: Lie, prepared: string): Promise<string | null | undefined> {
  const { verb } = one;
  const { meddle, hasLied } = lyingWith(lie);
  world.waitTimeout = WAIT_MS.lying;
  const outcome = await outcomeOf(world, verb, prepared, meddle).finally(() => {
    world.waitTimeout = WAIT_MS.honest;
  });
  if (!hasLied()) return undefined;
  const report = verb.moves ? ofRun(outcome.report, prepared) : outcome.report;
  return wrongIn(expectedOf(world, one, lie), { ...outcome, report });
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
