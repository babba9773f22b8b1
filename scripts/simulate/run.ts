import type { KillableProduct } from "../kill/product";
import type { BlindCounts } from "./blind-key";
import { checkFacts } from "./check-facts";
import { Faults } from "./faults";
import { Model } from "./model";
import { nothingPending } from "./nothing-pending";
import { ChainView, observe } from "./observe";
import type { PolicyPeriod } from "./observed-facts";
import { ALONE, amountsOf, FIRST_LIMITS, type Limits, type Operation, type Step } from "./operations";
import { Performer } from "./perform";
import { newWorld, type World } from "./world";

export interface SimulateOptions {
  seed: number;
  /** How many steps; without it, until `minutes` have passed. */
  steps?: number;
  minutes?: number;
  /** What is done to the product once it is whole again, before requests are repeated and everyone looks. */
  beforeLooking?: (product: KillableProduct) => Promise<void>;
  say: (line: string) => void;
}

/** What a run did, and what was wrong afterwards. */
export interface SimulateResult {
  seed: number;
  seconds: number;
  steps: number;
  payments: number;
  kills: number;
  /** Transfers that all parties together see as sent. */
  transfers: number;
  events: number;
  /** How often each operation was asked for. */
  done: Readonly<Partial<Record<Operation["kind"], number>>>;
  /** Errors that reached clients meanwhile, by code. */
  errors: Readonly<Record<string, number>>;
  /** What was done with blind keys, and how often a proxy was killed. */
  blind: BlindCounts & { kills: number };
  wrong: string[];
}

/** Operations under way at once, beside what is done to the product. */
const AT_ONCE = 5;
const MICRO = 1_000_000n;

/** A run of one seed against a product of its own. */
export async function simulate({
  seed,
  steps: most,
  minutes,
  beforeLooking,
  say,
}: SimulateOptions): Promise<SimulateResult> {
  const started = performance.now();
  const model = new Model(seed);
  const faults = await Faults.start(model.setting, say);
  const { product, rpcUrl } = faults;
  let world: World | undefined;
  const steps: Step[] = [];
  let performer: Performer | undefined;
  const finish = (wrong: string[], seen: { transfers: number; events: number }): SimulateResult => ({
    seed,
    seconds: Math.round((performance.now() - started) / 1000),
    steps: steps.length,
    payments: steps.flatMap(({ operation }) => amountsOf(operation)).length,
    kills: steps.filter(({ operation }) => operation.kind === "kill").length,
    done: countOf(steps),
    errors: Object.fromEntries(performer?.errors ?? []),
    blind: { requests: 0, together: 0, ...world?.blindCaller.counts, kills: world?.proxies.kills ?? 0 },
    ...seen,
    wrong,
  });
  try {
    const chainView = await ChainView.of(product.url, rpcUrl);
    const tokensBefore = await chainView.tokens();
    world = await newWorld(
      { url: product.url, rpcUrl, data: product.data, clientEnv: faults.clientEnv },
      model.setting.zones,
    );
    say(`${world.accounts.length} accounts and ${world.agents.length} agents are there; seed ${seed} begins`);
    const policies = new Policies(world);
    const byNumber = new Map<number, Step>();
    performer = new Performer(world, byNumber);
    const until = performance.now() + (minutes ?? Number.POSITIVE_INFINITY) * 60_000;
    const parties = world.accounts;
    await inLanes(
      () => {
        if (steps.length === most || performance.now() > until) return undefined;
        const step = model.next();
        steps.push(step);
        byNumber.set(step.n, step);
        return step;
      },
      async (step) => {
        const { operation } = step;
        say(`${step.n}: ${inWords(step)}`);
        // What is on its way may run out meanwhile; what that would decide, the model could not know.
        if (operation.kind === "clock") await Promise.all(parties.map(nothingPending));
        if (await faults.happen(operation)) return performer?.did(step);
        const done = operation.kind === "policy" ? policies.begin(operation.agent, operation.limits) : undefined;
        await performer?.perform(step);
        done?.();
      },
    );
    say(`${steps.length} steps were taken; looking at what everyone sees`);
    await product.whole();
    await beforeLooking?.(product);
    const repetitions = model.repetitions();
    for (const step of repetitions) await performer.perform(step);
    const { ended } = performer;
    const facts = await observe({
      product,
      world,
      chainView,
      rpcUrl,
      tokensBefore,
      steps: [...steps, ...repetitions],
      ended,
      policies: policies.periods,
    });
    const sent = facts.transfers.filter(({ direction }) => direction === "sent").length;
    return finish(checkFacts(facts), { transfers: sent, events: facts.events.length });
  } catch (error) {
    return finish([error instanceof Error ? (error.stack ?? error.message) : String(error)], {
      transfers: 0,
      events: 0,
    });
  } finally {
    await world?.proxies.stop();
    await faults.end();
    await world?.receiver.stop();
  }
}

/** Takes steps in their order: each begins once the one before it in its lane has ended, and others go on meanwhile. */
async function inLanes(next: () => Step | undefined, take: (step: Step) => Promise<void>): Promise<void> {
  const busy = new Map<string, Promise<void>>();
  let failed: { error: unknown } | undefined;
  for (let step = next(); step && !failed; step = next()) {
    const { lane } = step;
    if (lane === ALONE) await Promise.all(busy.values());
    await (busy.get(ALONE) ?? busy.get(lane));
    while (busy.size >= AT_ONCE) await Promise.race(busy.values());
    const taken = take(step)
      .catch((error: unknown) => {
        failed ??= { error };
      })
      .finally(() => {
        if (busy.get(lane) === taken) busy.delete(lane);
      });
    busy.set(lane, taken);
  }
  await Promise.all(busy.values());
  if (failed) throw failed.error;
}

function countOf(steps: readonly Step[]): SimulateResult["done"] {
  const done: Partial<Record<Operation["kind"], number>> = {};
  for (const { operation } of steps) done[operation.kind] = (done[operation.kind] ?? 0) + 1;
  return done;
}

/** A step in one line, without amounts. */
function inWords({ operation, expected }: Step): string {
  const { kind, ...rest } = operation;
  const about = Object.entries(rest).filter(([name]) => name !== "amount" && name !== "key" && name !== "rows");
  return `${kind} ${about.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(", ")} (${expected.outcome})`;
}

/** Which limits were in force when, by the clock of the one who changed them. */
class Policies {
  readonly periods: PolicyPeriod[] = [];

  constructor(private readonly world: World) {
    for (const agent of this.world.agents.keys()) this.begin(agent, FIRST_LIMITS)();
  }

  /** A change was asked for; the returned function says that it is in force. */
  begin(agent: number, { daily, perTransaction }: Limits): () => void {
    const handle = this.world.agents[agent]?.handle ?? "";
    const before = this.periods.filter((one) => one.agent === handle).at(-1);
    const from = before ? Date.now() : 0;
    const limits = { daily: BigInt(daily) * MICRO, perTransaction: BigInt(perTransaction) * MICRO };
    this.periods.push({ agent: handle, from, until: Number.POSITIVE_INFINITY, ...limits });
    return () => {
      if (before) before.until = Date.now();
    };
  }
}
