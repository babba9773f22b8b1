import { HalcyonError } from "@/sdk/api/errors";
import { differences, inventedIn } from "./judge";
import { type Lie, liesAbout, lyingWith, type Recorded, recording } from "./lie";
import { PAYING, REPORTING, type Verb } from "./verbs";
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
  lies: Lie[];
  /** What one run needs. What only reports does not use it up. */
  prepared: string;
}

interface Outcome {
  report: unknown;
  error: unknown;
  moves: string[];
  hashes: string[];
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

/** Runs each verb twice with an honest service and derives the lies about it. */
export async function casesOf(world: World, verbs: readonly Verb[] = [...REPORTING, ...PAYING]): Promise<Case[]> {
  const cases: Case[] = [];
  for (const verb of verbs) {
    const records: Recorded[][] = [];
    let truth: unknown;
    let prepared = (await verb.before?.(world)) ?? "";
    for (const recorded of [[], []] as Recorded[][]) {
      if (verb.moves && records.length > 0) prepared = (await verb.before?.(world)) ?? "";
      const done = await outcomeOf(world, verb, prepared, recording(recorded));
      const wanted = verb.moves?.(world) ?? [];
      if (done.error || String(done.moves) !== String(wanted)) {
        throw new Error(`${verb.name} by an honest service moved ${done.moves}`, { cause: done.error });
      }
      records.push(recorded);
      truth = done.report;
    }
    const [older = [], recorded = []] = records;
    cases.push({ verb, truth, prepared, lies: liesAbout(recorded, older) });
  }
  return cases;
}

/** Fields of a paying verb's report that differ from run to run, and are compared with the chain. */
function wrongHashes(report: unknown, hashes: readonly string[]): string[] {
  const named = JSON.stringify(report ?? null).matchAll(/"tx_hash(?:es)?":(?:\[)?"(0x[0-9a-f]{64})"/g);
  return [...named].flatMap(([, hash = ""]) => (hashes.includes(hash) ? [] : [`reports the transaction ${hash}`]));
}

const withoutHashes = (report: unknown): unknown =>
  JSON.parse(JSON.stringify(report ?? null, (key, value) => (/^tx_hash/.test(key) ? undefined : value)));

/**
 * Tries one lie. Returns what came out wrongly: anything but exactly what was asked, reported as the chain shows it, or
 * an error without any effect that it denies; undefined if the lie found no occasion.
 */
export async function judge(
  world: World,
  { verb, truth }: Case,
  lie: Lie,
  prepared: string,
): Promise<string | null | undefined> {
  const { meddle, hasLied } = lyingWith(lie);
  const { report, error, moves, hashes } = await outcomeOf(world, verb, prepared, meddle);
  if (!hasLied()) return undefined;
  const wanted = verb.moves?.(world) ?? [];
  const isWhole = String(moves) === String(wanted);
  if (moves.length > 0 && !isWhole) return `moved ${moves.join(", ")}`;
  if (error !== undefined) {
    if (!(error instanceof HalcyonError)) return `threw ${String(error)}`;
    if (error.code === "internal") return `threw ${error.name} internal: ${error.message}`;
    const isOpen = ["OutcomeUnknown", "TransferNotFinal", "ResponseLost"].includes(error.name);
    if (wanted.length > 0 && isWhole && !isOpen) return `paid, and threw ${error.name} ${error.code}: ${error.message}`;
    return null;
  }
  if (!isWhole) return `moved nothing, and reported ${JSON.stringify(report)}`;
  const wrong = verb.moves
    ? [...wrongHashes(report, hashes), ...differences(withoutHashes(truth), withoutHashes(report))]
    : typeof truth === "string"
      ? inventedIn(truth, String(report))
      : differences(truth, report);
  return wrong.length > 0 ? wrong.join("; ") : null;
}

/** Tries lies, and yields each one's finding; null when it came out right. */
export async function* tryAll(world: World, cases: readonly Case[]): AsyncGenerator<Finding | null> {
  for (const one of cases) {
    for (const lie of one.lies) {
      const prepared = one.verb.moves ? ((await one.verb.before?.(world)) ?? "") : one.prepared;
      const wrong = await judge(world, one, lie, prepared);
      if (wrong === undefined) continue;
      yield wrong === null ? null : { verb: one.verb.name, lie: lie.name, wrong };
    }
  }
}
