import { readFileSync } from "node:fs";
import path from "node:path";
import { HomeKeyProxies } from "@/scripts/kill/home-key-proxies";
import { readConfig } from "@/scripts/stack/config";
import { recordedPid } from "@/scripts/stack/processes";
import { HalcyonError } from "@/sdk/api/errors";
import { Halcyon } from "@/sdk/client";
import { cpuMs } from "./cpu";
import { closedLoop, type Measured, median, round } from "./measure";
import type { Product } from "./start-product";

const ACCOUNTS = 16;
const BURST = 64;
/** Each measures everything once, so that the machine's load affects what is compared alike. */
const ROUNDS = 4;
const SINGLE = 12;
const CALLERS_OF_TWO = 8;
const ROUND_TRIP_MS = 100;
const PARTS = ["web", "worker", "postgres"] as const;

/** A round's figures, with the CPU in milliseconds per payment of each process of the product, and of the proxy. */
type Counted = Measured & { cpu: Record<(typeof PARTS)[number] | "proxy", number> };

/**
 * Compares payments with blind keys, by `halcyon proxy` on this machine, with those of plain keys in alternating rounds:
 * one caller, 16 accounts, a burst of one account; and over a line of 100 ms. Then what the first payment after a
 * proxy's start takes, its memory with three circuits, and how many proofs two processes with one key waste.
 */
export async function run(product: Product): Promise<Record<string, unknown>> {
  const { data } = readConfig();
  // Accounts of their own: after a payment by another key, a client asks for each plan for half a minute.
  const payers = await product.payers(ACCOUNTS + 1);
  const owners = await product.payers(ACCOUNTS + 1);
  const pairs = await Promise.all(
    owners.map(async ({ client }) => {
      const { api_key: apiKey, home_key: homeKey = "" } = await client.keys.create({ label: "bench", blind: true });
      return { apiKey, homeKey };
    }),
  );
  const homeKeys = pairs.map(({ homeKey }) => homeKey);
  const folder = path.join(data, "clients");
  const proxies = await HomeKeyProxies.at({ url: product.url, folder }, 1);
  const post = async (
    url: string,
    apiKey: string,
    body: object = { to: "@demo", amount: "1.25" },
    at = "transfers",
  ) => {
    const response = await fetch(`${url}/v1/${at}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${apiKey}`,
        "content-type": "application/json",
        "idempotency-key": crypto.randomUUID(),
      },
      body: JSON.stringify(body),
    });
    const reply = await response.text();
    if (response.status !== 201) throw new Error(`POST /v1/${at} answered ${response.status}: ${reply}`);
  };
  try {
    await proxies.use(homeKeys);
    const [proxyUrl = ""] = proxies.urls;
    const plainly = (worker: number) => post(product.url, payers[worker]?.apiKey ?? "");
    const blindly = (worker: number) => post(proxyUrl, pairs[worker]?.apiKey ?? "");
    const first = await closedLoop(1, 1, blindly);
    // Warm up: all that is compared has its circuits and its code.
    for (const pay of [plainly, blindly]) {
      await closedLoop(ACCOUNTS, 5 * ACCOUNTS, pay);
      await closedLoop(BURST, 2 * BURST, () => pay(ACCOUNTS));
    }
    const rounds: Record<"one" | "sixteen" | "burst", { plain: Counted[]; blind: Counted[] }> = {
      ...{ one: { plain: [], blind: [] }, sixteen: { plain: [], blind: [] }, burst: { plain: [], blind: [] } },
    };
    for (let n = 0; n < ROUNDS; n++) {
      for (const [name, pay] of [
        ["plain", plainly],
        ["blind", blindly],
      ] as const) {
        rounds.one[name].push(await counted(data, proxies, () => closedLoop(1, SINGLE, pay)));
        rounds.sixteen[name].push(await counted(data, proxies, () => closedLoop(ACCOUNTS, 5 * ACCOUNTS, pay)));
        rounds.burst[name].push(await counted(data, proxies, () => closedLoop(BURST, BURST, () => pay(ACCOUNTS))));
      }
    }
    // The other two circuits of payments: in public, and several at once.
    await post(proxyUrl, pairs[0]?.apiKey ?? "", { to: "@demo", amount: "1", confidential: false });
    const rows = ["1.01", "1.02", "1.03"].map((amount) => ({ to: "@demo", amount }));
    await post(proxyUrl, pairs[0]?.apiKey ?? "", { rows }, "payouts");
    const memory = Math.max(...proxies.pids.map(mostMemory));
    const far = await farAway(product.url, payers[0]?.apiKey ?? "", pairs[0] ?? { apiKey: "", homeKey: "" });
    const wasted = await ofTwo(product.url, pairs[ACCOUNTS] ?? { apiKey: "", homeKey: "" });
    const over = (of: "one" | "sixteen" | "burst", figure: (one: Counted) => number) => {
      const { plain, blind } = rounds[of];
      return round(median(blind.map((one, n) => figure(one) / figure(plain[n] as Counted))));
    };
    const all = ({ cpu }: Counted) => PARTS.reduce((sum, part) => sum + cpu[part], 0);
    return {
      rounds,
      ratios: {
        proxy_over_plain_p50: over("one", ({ p50 }) => p50),
        proxy_over_plain_p50_at_100_ms: far.ratio,
        web_cpu_over_plain: over("one", ({ cpu }) => cpu.web),
        web_worker_postgres_cpu_over_plain: over("one", all),
        payments_per_web_core_over_plain: round(1 / over("sixteen", ({ cpu }) => cpu.web)),
        burst_over_plain: over("burst", ({ perSecond }) => perSecond),
      },
      far,
      wasted_proofs_of_two: wasted,
      first_payment_ms: round(first.p50),
      proxy_memory_mb: memory,
      goals: {
        proxy_over_plain_p50: "<= 1.25",
        proxy_over_plain_p50_at_100_ms: "<= 1.1",
        web_cpu_over_plain: "<= 0.3",
        web_worker_postgres_cpu_over_plain: "<= 0.5",
        payments_per_web_core_over_plain: ">= 3",
        burst_over_plain: ">= 0.9",
        wasted_proofs_of_two: "<= 0.1",
        first_payment_ms: "<= 1500",
        proxy_memory_mb: "<= 180",
      },
    };
  } finally {
    await proxies.stop();
  }
}

/** Adds each process's CPU per payment, which other load on the machine does not affect. */
async function counted(data: string, proxies: HomeKeyProxies, work: () => Promise<Measured>): Promise<Counted> {
  const used = () =>
    [...PARTS.map((part) => recordedPid(data, part) ?? 0), proxies.pids[0] ?? 0].map((pid) => cpuMs(pid));
  const before = used();
  const measured = await work();
  const after = used();
  const cpu = [...PARTS, "proxy" as const].map(
    (part, n) => [part, round(((after[n] ?? 0) - (before[n] ?? 0)) / measured.count)] as const,
  );
  return { ...measured, cpu: Object.fromEntries(cpu) as Counted["cpu"] };
}

/** Returns the most memory that a process had, in MB (Linux). */
function mostMemory(pid: number): number {
  const [, kib = "0"] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kib) / 1024);
}

interface Pair {
  apiKey: string;
  homeKey: string;
}

/** A payment with the service 100 ms away: how long it takes, its requests, and how long the service works on it. */
interface Far {
  p50: number;
  requests: number;
  service_ms: number;
}

/** Measures plain and blind payments by the SDK with the service 100 ms away, and how much longer a blind one takes. */
async function farAway(
  url: string,
  plainKey: string,
  pair: Pair,
): Promise<Record<"plain" | "blind", Far> & { ratio: number }> {
  const ofClient = (keys: { apiKey: string; homeKey?: string }) => {
    const times: number[] = [];
    const far: typeof fetch = async (input, init) => {
      const { pathname, search } = new URL(String(input));
      if (!String(input).startsWith(url)) return fetch(input, init);
      await new Promise((resolve) => setTimeout(resolve, ROUND_TRIP_MS));
      const start = performance.now();
      const response = await fetch(url + pathname + search, init);
      times.push(performance.now() - start);
      return response;
    };
    return { client: new Halcyon({ url, ...keys, fetch: far }), times, p50s: [] as number[] };
  };
  const clients = { plain: ofClient({ apiKey: plainKey }), blind: ofClient(pair) };
  const pay = ({ client }: ReturnType<typeof ofClient>) =>
    closedLoop(
      1,
      SINGLE,
      async () => void (await client.transfers.create({ to: "@demo", amount: "1.25" }, { wait: false })),
    );
  for (const client of Object.values(clients)) {
    await pay(client);
    client.times.length = 0;
  }
  for (let n = 0; n < ROUNDS; n++) {
    for (const client of Object.values(clients)) client.p50s.push((await pay(client)).p50);
  }
  const shown = ({ times, p50s }: ReturnType<typeof ofClient>): Far => ({
    p50: round(median(p50s)),
    requests: round(times.length / (ROUNDS * SINGLE)),
    service_ms: round(median(times)),
  });
  const ratio = round(median(clients.blind.p50s.map((p50, n) => p50 / (clients.plain.p50s[n] as number))));
  return { ratio, plain: shown(clients.plain), blind: shown(clients.blind) };
}

/** Returns the share of proofs that came too late, of two processes' clients with one key and eight callers each. */
async function ofTwo(url: string, pair: Pair): Promise<number> {
  let [sent, late] = [0, 0];
  const counting: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (!String(init?.body).includes('"document"')) return response;
    sent += 1;
    if (response.status === 409) late += 1;
    return response;
  };
  const clients = [1, 2].map(() => new Halcyon({ url, ...pair, fetch: counting }));
  await closedLoop(2 * CALLERS_OF_TWO, 8 * CALLERS_OF_TWO, async (worker) => {
    const options = { wait: false, idempotencyKey: crypto.randomUUID() };
    for (;;) {
      try {
        await clients[worker % 2]?.transfers.create({ to: "@demo", amount: "1.25" }, options);
        return;
      } catch (error) {
        // After five attempts, a caller repeats its request.
        if (!(error instanceof HalcyonError) || error.code !== "available_balance_changed") throw error;
      }
    }
  });
  return round(late / sent);
}
