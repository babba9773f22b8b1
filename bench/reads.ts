import { Agent, request } from "node:http";
import { platform } from "node:os";
import { readConfig } from "@/scripts/stack/config";
import { recordedPid } from "@/scripts/stack/processes";
import { startWeb } from "@/test/services/start-web";
import { startBareServer } from "./bare";
import { cpuMs } from "./cpu";
import { closedLoop, type Measured, median, round } from "./measure";
import { costOfLog } from "./request-log";
import type { Product } from "./start-product";

const CALLERS = 16;
/** Number of transfers on a page of the list. */
const PAGE = 20;

const ROUNDS = 9;
const CALLS_A_ROUND = 500;

/**
 * Measures the GET endpoints against bare `node:http` with one indexed query in a separate process, and against
 * `/healthz`, an empty route of Next's, in the same run. Also measures the cost of rate limits and of the request log.
 */
export async function run(product: Product): Promise<Record<string, unknown>> {
  const [payer] = await product.payers(1);
  if (!payer) throw new Error("no account");
  const id = await pay(product, payer.apiKey);
  const bare = await startBareServer();
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
  const get =
    (path: string, url = product.url) =>
    () =>
      new Promise<void>((resolve, reject) => {
        const sent = request(
          `${url}${path}`,
          { agent, headers: { authorization: `Bearer ${payer.apiKey}` } },
          (response) => {
            response.resume();
            response.once("end", () =>
              response.statusCode === 200
                ? resolve()
                : reject(new Error(`GET ${path} answered ${response.statusCode}`)),
            );
          },
        );
        sent.once("error", reject);
        sent.end();
      });
  // Fill a whole page of the list.
  for (let paid = 1; paid < PAGE; paid += 1) await pay(product, payer.apiKey);
  const calls = {
    node_http: get(`/transfer/${id}`, bare.url),
    next_route: get("/healthz"),
    get_transfer: get(`/v1/transfers/${id}`),
    list_transfers: get("/v1/transfers"),
    account: get("/v1/accounts/me"),
  };
  const { measured, ratios } = await inTurns(calls, (call) => closedLoop(CALLERS, CALLS_A_ROUND, call)).finally(() =>
    bare.stop(),
  );
  const database = recordedPid(readConfig().data, "postgres");
  const skipped = { skipped: "CPU per process is read from /proc" };
  const hasCpu = database !== undefined && platform() === "linux";
  const look = (url: string) => get(`/v1/transfers/${id}`, url);
  const limits = hasCpu ? await costOfLimits(look, database) : skipped;
  const log = hasCpu ? await costOfLog(look, database) : skipped;
  agent.destroy();
  return {
    "node:http with one query": measured.node_http,
    "empty route of Next's": measured.next_route,
    "GET /v1/transfers/{id}": measured.get_transfer,
    "GET /v1/transfers": measured.list_transfers,
    "GET /v1/accounts/me": measured.account,
    ratios,
    rate_limits: limits,
    request_log: log,
    goals: {
      get_transfer_over_node_http: ">= 0.4",
      list_transfers_over_node_http: ">= 0.3",
      account_over_node_http: ">= 0.4",
      rate_limits: "<= 1.1 over without",
      request_log: "a read <= 1.03 over without",
    },
  };
}

/** Makes a payment for the reads to find; returns its id. */
async function pay(product: Product, apiKey: string): Promise<string> {
  const created = await fetch(`${product.url}/v1/transfers`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ to: "@demo", amount: "1" }),
  });
  const { transfer_id: id } = (await created.json()) as { transfer_id: string };
  return id;
}

/**
 * Measures every call in each of several rounds; a ratio is the median over the rounds. When the baseline was measured
 * only once, before the others, the ratios of the same commit differed by half on a machine whose speed drifts.
 */
async function inTurns<Name extends string>(
  calls: Record<Name | "node_http", () => Promise<void>>,
  measure: (call: () => Promise<void>) => Promise<Measured>,
) {
  const names = Object.keys(calls) as (Name | "node_http")[];
  for (const name of names) await measure(calls[name]);
  const rounds: Record<string, Measured>[] = [];
  for (let turn = 0; turn < ROUNDS; turn++) {
    const round: Record<string, Measured> = {};
    for (const name of names) round[name] = await measure(calls[name]);
    rounds.push(round);
  }
  const of = (name: string, figure: "p50" | "p99" | "perSecond") =>
    rounds.map((each) => (each[name] as Measured)[figure]);
  const measured = Object.fromEntries(
    names.map((name) => [
      name,
      {
        count: ROUNDS * CALLS_A_ROUND,
        p50: median(of(name, "p50")),
        p99: median(of(name, "p99")),
        perSecond: median(of(name, "perSecond")),
      },
    ]),
  ) as Record<Name | "node_http", Measured>;
  const bare = of("node_http", "perSecond");
  const ratios = Object.fromEntries(
    names
      .filter((name) => name !== "node_http")
      .map((name) => [
        `${name}_over_node_http`,
        round(median(of(name, "perSecond").map((value, at) => value / (bare[at] as number)))),
      ]),
  );
  return { measured, ratios };
}

/**
 * Measures the CPU of a read, web process and database together, with rate limits relative to without: medians of
 * rounds that alternate between two otherwise identical web processes. CPU limits how many reads a machine serves, and
 * other load doesn't affect the figure.
 */
async function costOfLimits(
  get: (url: string) => () => Promise<void>,
  database: number,
): Promise<Record<string, unknown>> {
  const webs = {
    without: await startWeb({ RATE_LIMIT_PER_SECOND: "0", RATE_LIMIT_ACCOUNT_PER_SECOND: "0" }),
    limited: await startWeb({}),
  };
  const names = ["without", "limited"] as const;
  const rounds: Record<keyof typeof webs, number[]> = { without: [], limited: [] };
  try {
    for (const name of names) await closedLoop(CALLERS, CALLS_A_ROUND, get(webs[name].url));
    for (let turn = 0; turn < ROUNDS; turn++) {
      for (const name of names) {
        const { url, pid } = webs[name];
        const before = cpuMs(pid, database);
        await closedLoop(CALLERS, CALLS_A_ROUND, get(url));
        rounds[name].push((cpuMs(pid, database) - before) / CALLS_A_ROUND);
      }
    }
  } finally {
    await Promise.all(Object.values(webs).map((web) => web.stop()));
  }
  const [without, limited] = [median(rounds.without), median(rounds.limited)];
  return { cpu_ms: { without: round(without), limited: round(limited) }, over_without: round(limited / without) };
}
