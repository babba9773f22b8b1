import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { platform } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { generatePrivateKey } from "viem/accounts";
import { ROOT, readConfig } from "@/scripts/stack/config";
import { recordedPid } from "@/scripts/stack/processes";
import { Halcyon } from "@/sdk/client";
import { makeAgents } from "./agents";
import type { Calls, Seen } from "./load-callers";
import { median, round } from "./measure";
import type { Payer, Product } from "./start-product";

/** Numbers of readers, in steps. The last is more than the process serves at once. */
const STEPS = [16, 64, 256, 1_024];
const STEP_MS = 8_000;
const PAYERS = 4;
/** Agents of an account of their own that pay, one payment after the other each. */
const AGENTS = 4;
/** Callers that pay from the four accounts at once: many times as many as the process serves. */
const MANY_PAYERS = 320;
/** Reads count as recovered when this many in a row are as fast as before. */
const IN_A_ROW = 20;
const READY_MS = 60_000;

type Report = Record<string, Seen>;

/**
 * Measures how much load the machine can take. Four accounts and four agents pay in sequence while more and more callers
 * read, on the test network and on the live one, and while many callers pay from the four accounts. Reports throughput and latency, what is refused, and how soon after the last step
 * reads are as fast as before. HALCYON_BENCH_LOAD_MINUTES continues the last step for that long, and compares the
 * memory of the web process in the last third of the time with that in the second third.
 */
export async function run(product: Product): Promise<Record<string, unknown>> {
  const [company, ...payers] = await product.payers(1 + PAYERS);
  const [reader] = payers;
  if (!reader || !company) throw new Error("no account");
  const live = await liveKey(product.url);
  const agents = await agentKeys(product.url, company);
  const callsOf = (readers: number, paying = 0) => [
    ...agents.map((apiKey, n) => ({ ...PAY, name: `agent_${n + 1}`, url: `${product.url}/v1/transfers`, apiKey })),
    ...othersOf(product.url, payers, live, { readers, paying }),
  ];
  const alone = await during(callsOf(0), STEP_MS);
  const before = await readMs(product.url, reader.apiKey);
  const steps: Record<string, Report> = {};
  for (const callers of STEPS) steps[callers] = await during(callsOf(callers), STEP_MS);
  const paying = await during(callsOf(0, MANY_PAYERS), STEP_MS);
  const recovered = await recovery(product.url, reader.apiKey, 2 * Math.max(...before));
  const payments = (report: Report) => report.payments?.p50 ?? Number.NaN;
  const reading = steps[STEPS.at(-1) ?? 0] ?? {};
  const kept = { readers: keptBy(reading, alone), payers: keptBy(paying, alone) };
  return {
    "payments without callers that read": alone,
    "by callers that read, half of them on each network": steps,
    [`beside ${MANY_PAYERS} callers that pay from the four accounts`]: paying,
    ratios: {
      payments_beside_1024_over_alone: round(payments(reading) / payments(alone)),
      agents_payments_kept_beside: kept,
    },
    recovered_ms: recovered,
    memory: await memory(() => callsOf(STEPS.at(-1) ?? 0)),
    goals: {
      payments_refused: 0,
      agents_payments_kept_beside: `>= ${KEPT}`,
      recovered_ms: "<= 5000",
      memory_ratio: "<= 1.1",
    },
    faults: Object.fromEntries(
      Object.entries(kept)
        .filter(([, share]) => !(share >= KEPT))
        .map(([others, share]) => [
          `agents beside ${others}`,
          `kept ${share} of their payments a second, under ${KEPT}`,
        ]),
    ),
  };
}

/** The share of their payments a second that agents have to keep. */
const KEPT = 0.5;

function keptBy(beside: Report, alone: Report): number {
  const rate = (report: Report) =>
    Object.entries(report).reduce((sum, [name, { perSecond }]) => sum + (name.startsWith("agent_") ? perSecond : 0), 0);
  return round(rate(beside) / rate(alone));
}

/** Creates agents with available balances; returns a key of each. */
async function agentKeys(url: string, company: Payer): Promise<string[]> {
  const keys: string[] = [];
  for (const { handle } of await makeAgents(url, company, AGENTS)) {
    const { api_key: apiKey } = await company.client.keys.create({ label: "bench", agent: handle });
    keys.push(apiKey);
  }
  return keys;
}

const PAY = { method: "POST", body: { to: "@demo", amount: "0.01" }, callers: 1 } as const;

/** Creates a key on the live network with which to read the account. */
async function liveKey(url: string): Promise<string> {
  const client = new Halcyon({ url, walletKey: generatePrivateKey(), network: "live" });
  await client.account.create({ handle: `load-${Date.now().toString(36)}` });
  const { api_key: apiKey } = await client.keys.create({ label: "bench" });
  return apiKey;
}

/** What the four accounts do: they pay, one payment after the other or many at once, and read. */
function othersOf(
  url: string,
  payers: readonly Payer[],
  live: string,
  { readers, paying }: { readers: number; paying: number },
): Calls[] {
  const pay = { ...PAY, url: `${url}/v1/transfers`, callers: Math.max(1, paying / payers.length) };
  const read = { method: "GET", callers: readers / 2 } as const;
  const readsOf = (name: string, apiKey: string) =>
    readers === 0 ? [] : [{ name, url: `${url}/v1/transfers?limit=20`, apiKey, ...read }];
  return [
    ...payers.map(({ apiKey }, n) => ({ name: n === 0 ? "payments" : `payments_${n + 1}`, apiKey, ...pay })),
    ...readsOf("test_reads", payers[0]?.apiKey ?? ""),
    ...readsOf("live_reads", live),
  ];
}

/** Runs callers for the given time; returns what they saw. */
async function during(
  calls: Calls[],
  ms: number,
  meanwhile: () => Promise<unknown> = () => sleep(ms),
): Promise<Report> {
  const args = [path.join(ROOT, "scripts/run.mjs"), "bench/load-callers.ts", JSON.stringify(calls)];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await meanwhile();
  child.stdin.end();
  await ended;
  return JSON.parse(said.trim().split("\n").at(-1) ?? "") as Report;
}

async function readMs(url: string, apiKey: string): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < IN_A_ROW; i++) {
    const start = performance.now();
    const response = await fetch(`${url}/v1/transfers?limit=20`, { headers: { authorization: `Bearer ${apiKey}` } });
    await response.arrayBuffer();
    times.push(response.ok ? performance.now() - start : Number.POSITIVE_INFINITY);
  }
  return times;
}

/** Returns the milliseconds until reads are as fast as before. */
async function recovery(url: string, apiKey: string, most: number): Promise<number> {
  const start = performance.now();
  while (performance.now() - start < READY_MS) {
    const begun = performance.now() - start;
    if ((await readMs(url, apiKey)).every((ms) => ms <= most)) return Math.round(begun);
  }
  throw new Error(`reads take longer than before for ${READY_MS / 1_000} s`);
}

/** Measures the resident memory of the web process in MB, in the second and in the last third of a long load. */
async function memory(calls: () => Calls[]): Promise<Record<string, unknown>> {
  const minutes = Number(process.env.HALCYON_BENCH_LOAD_MINUTES ?? 0);
  const pid = recordedPid(readConfig().data, "web");
  if (minutes === 0 || !pid || platform() !== "linux") return { skipped: "HALCYON_BENCH_LOAD_MINUTES says how long" };
  const sampled: number[] = [];
  const report = await during(calls(), 0, async () => {
    for (const end = performance.now() + minutes * 60_000; performance.now() < end; await sleep(5_000)) {
      const kb = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
      sampled.push(Number(kb) / 1_024);
    }
  });
  const third = Math.floor(sampled.length / 3);
  const [second, last] = [median(sampled.slice(third, 2 * third)), median(sampled.slice(2 * third))];
  return { minutes, second_third_mb: round(second), last_third_mb: round(last), ratio: round(last / second), report };
}
