import { spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { createSiweMessage } from "viem/siwe";
import { DOORS, type Door, OPEN_BODY_KIB } from "@/lib/http/doors";
import { PAYOUT_BODY } from "@/lib/payments/payouts/schema";
import { ROOT } from "@/scripts/stack/config";
import { program } from "@/scripts/stack/program";
import { CookieJar } from "@/sdk/context/session/cookie-jar";
import { exactCpuMs } from "./cpu";
import type { Calls, Seen } from "./load-callers";
import { closedLoop, median, round } from "./measure";

/** Callers of each attack; together they call again as soon as they have responses. */
const CALLERS = 10;
/** Callers that send or read slowly: more than one address, account or process may have under way. */
const SLOW_CALLERS = 1_200;
const ROUNDS = 2;
const CALLS = { reads: 30, dry_runs: 12, payments: 4 } as const;
/** Between two calls of the neighbour, in milliseconds: more would be over its own limit of requests a second. */
const PAUSE_MS = 20;
/** How many times as long as alone a neighbour may wait. */
export const MOST_RATIO = 2;

type Request = Pick<Calls, "method" | "body" | "nested" | "headers"> & { path: string };

const get = (...paths: string[]): Request[] => paths.map((path) => ({ method: "GET", path }));

const rpc = (method: string, params = {}): Request => ({
  method: "POST",
  path: "/mcp/test",
  body: { jsonrpc: "2.0", id: 1, method, params },
});

/** What is asked for at doors that have no fixed path, or routes of their own. */
const REQUESTS: Partial<Record<keyof typeof DOORS, Request[]>> = {
  rest: [
    ...get("/v1/transfers?limit=100"),
    { method: "POST", path: "/v1/transfers?dry_run=true", body: { to: "@demo", amount: "0.01" } },
  ],
  stream: get("/api/stream?network=test"),
  signIn: get("/api/auth/csrf", "/api/auth/session"),
  session: get(
    "/api/network?network=test",
    "/api/search?network=test&id=x",
    "/api/pay/payreq_01M8HJJ2D76MRJB5THSFKYT07E",
  ),
  mcp: [
    rpc("tools/list"),
    rpc("tools/call", { name: "list_transfers", arguments: { limit: 100 } }),
    rpc("tools/call", { name: "dry_run", arguments: { to: "@demo", amount: "0.01" } }),
  ],
  links: get("/oauth/authorize?client_id=x", "/api/notifications/unsubscribe?token=x"),
  oauth: [{ method: "POST", path: "/oauth/register", body: {} }],
  x402: [{ method: "POST", path: "/x402/verify", body: {} }],
  circuits: get("/circuits/transfer.zkey"),
  dashboard: get("/test", "/test/transfers", "/live"),
};

/** A request for each path of a door that is left: with a made-up value in place of a parameter. */
const samples = ({ paths }: Door): Request[] =>
  get(...paths.map((path) => path.replace(/\{\w+\}/g, "some").replace(/\/\*$/, "/mcp")));

/** Where each door takes its largest body, in KiB, from someone with a key or session. */
const BODIES: Partial<Record<keyof typeof DOORS, { path: string; kib: number; headers?: Record<string, string> }>> = {
  rest: { path: "/v1/payouts", kib: PAYOUT_BODY.kib },
  links: { path: "/api/notifications/unsubscribe?token=x", kib: OPEN_BODY_KIB },
  signIn: { path: "/api/auth/callback/siwe", kib: OPEN_BODY_KIB },
  session: { path: "/api/shared-views?network=test", kib: 2 * 1024 },
  mcp: { path: "/mcp/test", kib: 256 },
  oauth: { path: "/oauth/register", kib: OPEN_BODY_KIB },
  x402: { path: "/x402/verify", kib: OPEN_BODY_KIB },
  dashboard: { path: "/test", kib: OPEN_BODY_KIB, headers: { "next-action": "0".repeat(42) } },
};

/** A large response of each door that has one. */
const LARGE: Partial<Record<keyof typeof DOORS, Request>> = {
  rest: { method: "GET", path: "/v1/transfers?limit=100" },
  session: { method: "GET", path: "/api/network?network=test" },
  mcp: rpc("tools/list"),
  documentation: { method: "GET", path: "/llms-full.txt" },
  site: { method: "GET", path: "/" },
  files: { method: "GET", path: "/third-party-notices.txt" },
  circuits: { method: "GET", path: "/circuits/pay-many.zkey" },
  unchanging: { method: "GET", path: "/og.png" },
  visitors: { method: "GET", path: "/sign-in" },
  dashboard: { method: "GET", path: "/test" },
};

/** How an attack hurts: by many requests, bodies that are slow or costly to parse, or responses that are not read. */
type Manner = "requests" | "slow bodies" | "nested bodies" | "slow readers";

/** An attack on a door, by someone without a key or session, or with one. */
export interface Attack {
  name: string;
  door: keyof typeof DOORS;
  manner: Manner;
  requests: Request[];
  by: "no one" | "key" | "session";
}

/** Returns what callers of a door can identify themselves with. */
export function callersOf({ priority }: Door): ("key" | "session")[] {
  if (priority === "public") return [];
  return priority === "either" ? ["key", "session"] : [priority];
}

function requestsOf(door: keyof typeof DOORS, manner: Manner, by: Attack["by"]): Request[] {
  if (manner === "requests") return REQUESTS[door] ?? samples(DOORS[door]);
  if (manner === "slow readers") return LARGE[door] ? [LARGE[door]] : [];
  const taken = BODIES[door];
  if (!taken) return [];
  const { path, headers, kib } = taken;
  const bytes = (by === "no one" ? Math.min(kib, OPEN_BODY_KIB) : kib) * 1024;
  return [{ method: "POST", path, nested: bytes, ...(headers && { headers }) }];
}

/** Returns the attacks on every door: with a key or a session too where these matter. */
export function attacks(): Attack[] {
  return Object.entries<Door>(DOORS).flatMap(([name, row]) => {
    const door = name as keyof typeof DOORS;
    const all = (["requests", "slow bodies", "nested bodies", "slow readers"] as const).flatMap((manner) =>
      (["no one", ...callersOf(row)] as const).map((by) => ({
        name: `${door}${manner === "requests" ? "" : `, ${manner}`}${by === "no one" ? "" : `, with a ${by}`}`,
        door,
        manner,
        requests: requestsOf(door, manner, by),
        by,
      })),
    );
    return all.filter(({ requests }) => requests.length > 0);
  });
}

/** The account that attacks, and what its neighbour does meanwhile. */
export interface Parties {
  web: { url: string; pid: number };
  apiKey: string;
  /** An application's token for one of the account's agents: what the MCP server takes in place of a key. */
  token: string;
  cookie: string;
  neighbour: Record<keyof typeof CALLS, () => Promise<void>>;
}

type Times = Record<keyof typeof CALLS, number[]>;

/**
 * Measures how much longer a neighbour waits for a read, a dry run and a payment while a door is attacked than right
 * before, each attack from a process, a core and a client address of its own. A refusal of the neighbour is a fault.
 */
export async function measureDoors({ web, apiKey, token, cookie, neighbour }: Parties) {
  const measured: Record<string, Record<string, unknown>> = {};
  const faults: Record<string, string> = {};
  const measure = async (times: Times, name: string) => {
    for (const kind of Object.keys(CALLS) as (keyof typeof CALLS)[]) {
      const call = async () => {
        const before = performance.now();
        try {
          await neighbour[kind]();
        } catch (refusal) {
          faults[`${name}: ${kind}`] = String(refusal);
        }
        times[kind].push(performance.now() - before);
        await sleep(PAUSE_MS);
      };
      await closedLoop(1, CALLS[kind], call);
    }
  };
  keepTo(web.pid, 0);
  for (const [at, { name, door, manner, requests, by }] of attacks().entries()) {
    // Made up where it is not known: anyone who sends that must gain nothing by it.
    const headers: Record<string, string> = {
      ...(by === "key" ? { authorization: `Bearer ${door === "mcp" ? token : apiKey}` } : {}),
      cookie: by === "session" ? cookie : "next-auth.session-token=made-up",
      accept: "*/*, application/json, text/event-stream",
      "content-type": "application/json",
      "accept-encoding": "gzip",
      "x-forwarded-for": `198.51.100.${at + 1}`,
    };
    const alone: Times = { reads: [], dry_runs: [], payments: [] };
    const beside: Times = { reads: [], dry_runs: [], payments: [] };
    const statuses: Record<string, number> = {};
    let cpu = 0;
    for (let turn = 0; turn < ROUNDS; turn++) {
      await measure(alone, name);
      const isSlow = manner === "slow bodies" || manner === "slow readers";
      const calls = requests.map(({ path, ...request }, n) => ({
        ...request,
        name: `${n} ${path}`,
        url: `${web.url}${path}`,
        headers: { ...headers, ...request.headers },
        ...(isSlow && { slow: manner === "slow bodies" ? ("body" as const) : ("reader" as const) }),
        callers: Math.ceil((isSlow ? SLOW_CALLERS : CALLERS) / requests.length),
      }));
      const before = exactCpuMs(web.pid);
      const attack = await startCalls(calls);
      await measure(beside, name);
      for (const seen of Object.values(await attack.stop())) {
        for (const [status, count] of Object.entries(seen.statuses)) statuses[status] = (statuses[status] ?? 0) + count;
      }
      cpu += exactCpuMs(web.pid) - before;
    }
    const ratios = Object.fromEntries(
      (Object.keys(CALLS) as (keyof typeof CALLS)[]).map((kind) => {
        const ratio = round(median(beside[kind]) / median(alone[kind]));
        if (ratio > MOST_RATIO) faults[`${name}: ${kind}`] ??= `${ratio} times as long as alone, over ${MOST_RATIO}`;
        return [kind, ratio];
      }),
    );
    const responses = Object.values(statuses).reduce((all, each) => all + each, 0);
    measured[name] = { ...ratios, statuses, "ms of CPU a response, neighbour's work included": round(cpu / responses) };
    console.error(name, JSON.stringify(measured[name]));
  }
  return { doors: measured, faults };
}

/** Starts a process that calls until it is stopped. Returns once it has a response. */
async function startCalls(calls: Calls[]): Promise<{ stop(): Promise<Record<string, Seen>> }> {
  const child = spawn(process.execPath, [await program("bench/load-callers.ts"), JSON.stringify(calls)], {
    cwd: ROOT,
    stdio: ["pipe", "pipe", "inherit"],
  });
  keepTo(child.pid, 1);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return {
    async stop() {
      child.stdin.end();
      return JSON.parse((await lines.next()).value ?? "") as Record<string, Seen>;
    },
  };
}

/**
 * Keeps a process to one core, where there are several and Linux's `taskset`: clients are on machines of their own, so
 * what they compute must not count.
 */
function keepTo(pid: number | undefined, core: 0 | 1): void {
  if (pid === undefined || availableParallelism() < 2 || process.platform !== "linux") return;
  spawnSync("taskset", ["--all-tasks", "--cpu-list", "--pid", String(core), String(pid)], { stdio: "ignore" });
}

/** Signs a wallet in to the session API. Returns the `Cookie` header. */
export async function signIn(url: string, walletKey: Hex): Promise<string> {
  const jar = new CookieJar();
  const ask = async (path: string, form?: Record<string, string>) => {
    const body = form && new URLSearchParams(form);
    const response = await fetch(`${url}${path}`, { method: form ? "POST" : "GET", headers: jar.header(), body });
    jar.store(response.headers);
    return (await response.json()) as Record<string, string>;
  };
  const wallet = privateKeyToAccount(walletKey);
  const { nonce = "" } = await ask("/api/siwe/nonce");
  const { csrfToken = "" } = await ask("/api/auth/csrf");
  const message = createSiweMessage({
    domain: new URL(url).host,
    address: wallet.address,
    uri: url,
    version: "1",
    chainId: 46630,
    issuedAt: new Date(),
    nonce,
  });
  const signature = await wallet.signMessage({ message });
  await ask("/api/auth/callback/siwe", { csrfToken, message, signature, json: "true" });
  return jar.header().cookie ?? "";
}
