import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { createServerProver } from "@/lib/prover/create-server-prover";
import { readConfig } from "@/scripts/stack/config";
import { recordedPid } from "@/scripts/stack/processes";
import { transferPlan } from "@/test/prover/transfer-plan";
import { startBareServer } from "./bare";
import { cpuMs } from "./cpu";
import { closedLoop, type Measured, median, round } from "./measure";
import type { Product } from "./start-product";

const ACCOUNTS = 16;
/** Number of simultaneous payments of one account. */
const BURST = 64;
/**
 * Each round measures everything once, so that a change in the machine's load affects all figures that are compared.
 */
const ROUNDS = 4;
/** Number of calls of a single caller in a round. */
const SINGLE = 12;
const BARE = 60;
const PROOFS = 50;
/**
 * Number of payments in bursts after which each prover thread makes the tables of a batch's circuit once it is idle: 96
 * proofs of 16 payments for each of two threads (`PAYS_AFTER`), and a sixth more because they share unevenly.
 */
const WARM = 3_600;

/** A round's figures, with the CPU that each process of the product used. */
interface Counted extends Measured {
  cpu: Record<string, number>;
}

/**
 * Compares `POST /v1/transfers` with the bare proof of the same circuit, in the same run and in alternating rounds: a
 * single caller, then 16 accounts at once, and 64 payments of one account at once, while chain, worker and database
 * share the machine. The cost of a payment besides its proof is compared with a bare handler that runs the same
 * statements, and with the least that a payment takes: on an idle machine, and while another payment settles.
 */
export async function run(product: Product): Promise<Record<string, unknown>> {
  const payers = await product.payers(ACCOUNTS + 1);
  const post = async (worker: number, headers: Record<string, string> = {}) => {
    const payer = payers[worker];
    if (!payer) throw new Error("more callers than accounts");
    const response = await fetch(`${product.url}/v1/transfers`, {
      method: "POST",
      headers: { authorization: `Bearer ${payer.apiKey}`, "content-type": "application/json", ...headers },
      body: JSON.stringify({ to: "@demo", amount: "1.25" }),
    });
    const reply = await response.text();
    if (response.status !== 201) throw new Error(`POST /v1/transfers answered ${response.status}: ${reply}`);
  };
  const traced = () => ({ traceparent: `00-${randomBytes(16).toString("hex")}-${randomBytes(8).toString("hex")}-01` });
  const prover = await createServerProver({ tablesAfter: 0 });
  const bare = await startBareServer();
  try {
    const { input } = await transferPlan();
    const prove = async () => void (await prover.prove("transfer", input));
    const payBarely = async () => void (await postBarely(`${bare.url}/payment`));
    const payAlone = async () => void (await postBarely(`${bare.url}/least/1`));
    const payTogether = async () => void (await postBarely(`${bare.url}/least/16`));
    // Warm up until every thread has its tables (see `ServerProverOptions.tablesAfter`) and V8 has compiled the code.
    await closedLoop(2, 20, prove);
    await closedLoop(1, 3 * BARE, payBarely);
    await closedLoop(ACCOUNTS, 10 * ACCOUNTS, payAlone);
    await closedLoop(BURST, 10 * BURST, payTogether);
    await closedLoop(ACCOUNTS, 40 * availableParallelism(), (worker) => post(worker));
    await closedLoop(BURST, WARM, () => post(ACCOUNTS));
    await untilTablesAreMade();
    await closedLoop(BURST, BURST, () => post(ACCOUNTS));

    type Figure =
      | "proof"
      | "proofs"
      | "statements"
      | "one"
      | "sixteen"
      | "burst"
      | `least_${"one" | "sixteen" | "burst"}`;
    const rounds: Record<Figure, Counted[]> = {
      ...{ proof: [], proofs: [], statements: [], one: [], sixteen: [], burst: [] },
      ...{ least_one: [], least_sixteen: [], least_burst: [] },
    };
    /** What the least payments take besides their proofs, each made just after one of the product, which settles. */
    const besideSettling: number[] = [];
    const payWhileAnotherSettles = async () => {
      await post(0);
      const start = performance.now();
      const proveMs = await postBarely(`${bare.url}/least/1`);
      besideSettling.push(performance.now() - start - proveMs);
    };
    for (let n = 0; n < ROUNDS; n++) {
      rounds.proof.push(await counted(() => closedLoop(1, SINGLE, prove)));
      rounds.statements.push(await counted(() => closedLoop(1, BARE, payBarely)));
      rounds.one.push(await counted(() => closedLoop(1, SINGLE, (worker) => post(worker, traced()))));
      rounds.least_one.push(await counted(() => closedLoop(1, SINGLE, payAlone)));
      await closedLoop(1, SINGLE, payWhileAnotherSettles);
      rounds.proofs.push(await counted(() => closedLoop(ACCOUNTS, PROOFS, prove)));
      rounds.least_burst.push(await counted(() => closedLoop(BURST, BURST, payTogether)));
      rounds.burst.push(await counted(() => closedLoop(BURST, BURST, () => post(ACCOUNTS))));
      rounds.least_sixteen.push(await counted(() => closedLoop(ACCOUNTS, 5 * ACCOUNTS, payAlone)));
      rounds.sixteen.push(await counted(() => closedLoop(ACCOUNTS, 5 * ACCOUNTS, (worker) => post(worker))));
    }
    const proved = median(await spansOf(product, "prove", ROUNDS * SINGLE));
    const p50 = (list: readonly Counted[]) => median(list.map((one) => one.p50));
    const over = (list: readonly Counted[], limit: readonly Counted[]) =>
      round(median(list.map(({ perSecond }, n) => perSecond / (limit[n]?.perSecond ?? Number.NaN))));
    return {
      rounds,
      span_prove_p50: round(proved),
      // What the same ratios come to with the least that payments take: no product reaches more.
      least: {
        overhead_over_bare_statements: round((p50(rounds.least_one) - p50(rounds.proof)) / p50(rounds.statements)),
        overhead_while_another_settles: round(median(besideSettling) / p50(rounds.statements)),
        payments_over_proofs_per_second: over(rounds.least_sixteen, rounds.proofs),
        one_account_burst_over_proofs: over(rounds.least_burst, rounds.proofs),
      },
      ratios: {
        overhead_over_bare_statements: round((p50(rounds.one) - proved) / p50(rounds.statements)),
        post_over_proof_p50: round(p50(rounds.one) / p50(rounds.proof)),
        payments_over_proofs_per_second: over(rounds.sixteen, rounds.proofs),
        one_account_burst_over_proofs: over(rounds.burst, rounds.proofs),
      },
      goals: {
        overhead_over_bare_statements: "<= 2.5",
        post_over_proof_p50: "<= 1.5",
        payments_over_proofs_per_second: ">= 0.85",
        one_account_burst_over_proofs: ">= 2.0",
      },
    };
  } finally {
    await prover.close();
    await bare.stop();
  }
}

/** Adds each process's CPU in milliseconds per call, which other load on the machine doesn't affect. */
async function counted(work: () => Promise<Measured>): Promise<Counted> {
  const { data } = readConfig();
  const names = ["web", "worker", "postgres", "anvil-46630"];
  const used = () => [process.cpuUsage(), ...names.map((name) => cpuMs(recordedPid(data, name) ?? 0))] as const;
  const [own, ...before] = used();
  const measured = await work();
  const [ownAfter, ...after] = used();
  const bench = (ownAfter.user + ownAfter.system - own.user - own.system) / 1_000;
  const cpu = { bench, ...Object.fromEntries(names.map((name, n) => [name, (after[n] ?? 0) - (before[n] ?? 0)])) };
  const perCall = Object.entries(cpu).map(([name, ms]) => [name, round(ms / measured.count)] as const);
  return { ...measured, cpu: Object.fromEntries(perCall) };
}

/** Waits until the web process, whose threads make their tables once they are idle, has computed little for a second. */
async function untilTablesAreMade(): Promise<void> {
  const web = recordedPid(readConfig().data, "web") ?? 0;
  for (let waited = 0; waited < 60; waited++) {
    const before = cpuMs(web);
    await sleep(1_000);
    if (waited > 0 && cpuMs(web) - before < 100) return;
  }
  throw new Error("the web process did not come to rest");
}

/** Waits until the spans of `count` requests are exported; returns their milliseconds. */
async function spansOf(product: Product, name: string, count: number): Promise<number[]> {
  for (let waited = 0; waited < 60; waited++) {
    const spans = product.spans(name);
    if (spans.length >= count) return spans;
    await sleep(500);
  }
  throw new Error(`the product did not export ${count} spans "${name}"`);
}

/** Returns how many milliseconds the proof took, by the header `server-timing`; NaN if there was none. */
async function postBarely(url: string): Promise<number> {
  const response = await fetch(url, { method: "POST", body: '{"to":"@demo","amount":"1.25"}' });
  const reply = await response.text();
  if (response.status !== 201) throw new Error(`the bare handler answered ${response.status}: ${reply}`);
  return Number(response.headers.get("server-timing")?.split("dur=")[1] ?? Number.NaN);
}
