import { spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { createSiweMessage } from "viem/siwe";
import { DOORS, type Door } from "@/lib/http/doors";
import { ROOT } from "@/scripts/stack/config";
import { program } from "@/scripts/stack/program";
import { CookieJar } from "@/sdk/context/session/cookie-jar";
import { exactCpuMs } from "./cpu";
import type { Calls, Seen } from "./load-callers";
import { closedLoop, median, round } from "./measure";

/** Callers of each attack; together they call again as soon as they have responses. */
const CALLERS = 10;
const ROUNDS = 2;
const CALLS = { reads: 30, dry_runs: 12, payments: 4 } as const;
/** Between two calls of the neighbour, in milliseconds: more would be over its own limit of requests a second. */
const PAUSE_MS = 20;
const MOST_RATIO = 2;

type Request = Pick<Calls, "method" | "body"> & { path: string };

const get = (...paths: string[]): Request[] => paths.map((path) => ({ method: "GET", path }));

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
  mcp: [{ method: "POST", path: "/mcp/test", body: { jsonrpc: "2.0", id: 1, method: "tools/list" } }],
  links: get("/oauth/authorize?client_id=x", "/api/notifications/unsubscribe?token=x"),
  oauth: [{ method: "POST", path: "/oauth/register", body: {} }],
  x402: [{ method: "POST", path: "/x402/verify", body: {} }],
  circuits: get("/circuits/transfer.zkey"),
  dashboard: get("/test", "/test/transfers", "/live"),
};

/** A request for each path of a door that is left: with a made-up value in place of a parameter. */
const samples = ({ paths }: Door): Request[] =>
  get(...paths.map((path) => path.replace(/\{\w+\}/g, "some").replace(/\/\*$/, "/mcp")));

/** An attack on a door, by someone without a key or session, or with one. */
export interface Attack {
  name: string;
  requests: Request[];
  by: "no one" | "key" | "session";
}

/** Returns what callers of a door can identify themselves with. */
export function callersOf({ priority }: Door): ("key" | "session")[] {
  if (priority === "public") return [];
  return priority === "either" ? ["key", "session"] : [priority];
}

/** Returns the attacks on every door: with a key or a session too where these matter. */
export function attacks(): Attack[] {
  return Object.entries<Door>(DOORS).flatMap(([name, door]) => {
    const requests = REQUESTS[name as keyof typeof DOORS] ?? samples(door);
    const anonymous: Attack = { name, requests, by: "no one" };
    return [anonymous, ...callersOf(door).map((by): Attack => ({ name: `${name}, with a ${by}`, requests, by }))];
  });
}

/** The account that attacks, and what its neighbour does meanwhile. */
export interface Parties {
  web: { url: string; pid: number };
  apiKey: string;
  cookie: string;
  neighbour: Record<keyof typeof CALLS, () => Promise<void>>;
}

type Times = Record<keyof typeof CALLS, number[]>;

/**
 * Measures how much longer a neighbour waits for a read, a dry run and a payment while a door is attacked than right
 * before, each attack from a process, a core and a client address of its own. A refusal of the neighbour is a fault.
 */
export async function measureDoors({ web, apiKey, cookie, neighbour }: Parties) {
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
  for (const [at, { name, requests, by }] of attacks().entries()) {
    // Made up where it is not known: anyone who sends that must gain nothing by it.
    const headers: Record<string, string> = {
      ...(by === "key" ? { authorization: `Bearer ${apiKey}` } : {}),
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
      const calls = requests.map(({ path, ...request }, n) => ({
        ...request,
        name: `${n} ${path}`,
        url: `${web.url}${path}`,
        headers,
        callers: Math.ceil(CALLERS / requests.length),
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
