import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { text } from "node:stream/consumers";
import { ROOT, readConfig } from "@/scripts/stack/config";
import { recordedPid } from "@/scripts/stack/processes";
import { program } from "@/scripts/stack/program";
import { connectApplication } from "@/test/accounts/connect-application";
import { startWeb } from "@/test/services/start-web";
import { type BenchAgent, makeAgents } from "./agents";
import { cpuMs } from "./cpu";
import { MOST_RATIO, measureDoors, signIn } from "./doors";
import { closedLoop, median, round } from "./measure";
import type { Product } from "./start-product";

/** The defaults of a service; the bench's product runs with other settings. */
const SETTINGS = {
  RATE_LIMIT_PER_SECOND: "100",
  RATE_LIMIT_ACCOUNT_PER_SECOND: "200",
  PROVER_WORKERS: String(availableParallelism()),
  RATE_LIMIT_PUBLIC: "1200",
  RATE_LIMIT_FAILED_KEYS: "60",
  RATE_LIMIT_SIGN_IN: "60",
  RATE_LIMIT_FACILITATOR: "600",
  RATE_LIMIT_OAUTH: "60",
  // Each attack names an address of its own.
  TRUSTED_PROXIES: "1",
};

const ROUNDS = 5;
const PAYMENTS_A_ROUND = 6;
const READS_A_ROUND = 40;
/** How much longer than on a busy machine a flood of payments may make a neighbour wait. */
const ABOVE_BUSY = 1.1;
/** Number of available balances that the hostile account pays from at once. */
const AGENTS = 8;

/** The input of bench/flood.ts: the service and the account with which to flood it. */
export interface Flood {
  url: string;
  apiKey: string;
  agents: BenchAgent[];
}

type Call = (path: string, init?: { method?: string; body?: object }) => Promise<Response>;

const caller =
  (url: string, apiKey: string): Call =>
  async (path, { method = "POST", body } = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    await response.arrayBuffer();
    return response;
  };

/**
 * Measures how much longer an account waits for its payments and reads while another account floods the service. The
 * ratios are medians over alternating rounds. The flooding account pays from agents, reads lists and changes policies
 * with 48 callers in a separate process, as fast as responses come, including refusals. For comparison, the same is
 * measured beside one busy process per core. Then each door of the service is attacked in turn (bench/doors.ts).
 */
export async function run(product: Product): Promise<Record<string, unknown>> {
  const [victim, hostile] = await product.payers(2);
  if (!victim || !hostile) throw new Error("two accounts");
  const web = await startWeb(SETTINGS);
  try {
    const agents = await makeAgents(web.url, hostile, AGENTS);
    const ask = caller(web.url, victim.apiKey);
    const pay = () => must(ask("/v1/transfers", { body: { to: "@demo", amount: "0.01" } }));
    const read = () => must(ask("/v1/transfers?limit=20", { method: "GET" }));
    const times = {
      payments: { alone: [] as number[], busy: [] as number[], beside: [] as number[] },
      reads: { alone: [] as number[], busy: [] as number[], beside: [] as number[] },
    };
    const measure = async (when: "alone" | "busy" | "beside") => {
      times.payments[when].push((await closedLoop(1, PAYMENTS_A_ROUND, pay)).p50);
      times.reads[when].push((await closedLoop(1, READS_A_ROUND, read)).p50);
    };
    // Warm up: first proofs take longer.
    await closedLoop(1, PAYMENTS_A_ROUND, pay);
    const answered: Record<string, number> = {};
    /** How many of the machine's cores each process uses during the flood. */
    const cores = { web: [] as number[], postgres: [] as number[], flood: [] as number[] };
    const database = recordedPid(readConfig().data, "postgres") ?? 0;
    for (let turn = 0; turn < ROUNDS; turn++) {
      await measure("alone");
      const idle = keepBusy();
      await measure("busy").finally(idle);
      const flood = await startFlood({ url: web.url, apiKey: hostile.apiKey, agents });
      const used = () => [web.pid, database, flood.pid].map((pid) => cpuMs(pid));
      const [before, start] = [used(), performance.now()];
      await measure("beside");
      const [after, seconds] = [used(), (performance.now() - start) / 1000];
      for (const [at, name] of (["web", "postgres", "flood"] as const).entries()) {
        cores[name].push(((after[at] ?? 0) - (before[at] ?? 0)) / 1000 / seconds);
      }
      for (const [status, count] of Object.entries(await flood.stop())) {
        answered[status] = (answered[status] ?? 0) + count;
      }
    }
    const dryRun = () => must(ask("/v1/transfers?dry_run=true", { body: { to: "@demo", amount: "0.01" } }));
    const cookie = await signIn(product.url, hostile.walletKey);
    const owner = { url: web.url, walletKey: hostile.walletKey };
    const { token } = await connectApplication(owner, agents[0]?.handle ?? "", "Bench");
    const neighbour = { reads: read, dry_runs: dryRun, payments: pay };
    const { doors, faults } = await measureDoors({ web, apiKey: hostile.apiKey, token, cookie, neighbour });
    const ratio = ({ alone, busy, beside }: Record<"alone" | "busy" | "beside", number[]>) => ({
      alone_ms: round(median(alone)),
      beside_ms: round(median(beside)),
      ratio: round(median(beside) / median(alone)),
      busy_ms: round(median(busy)),
      busy_ratio: round(median(busy) / median(alone)),
    });
    const flooded = { payments: ratio(times.payments), reads: ratio(times.reads) };
    for (const [kind, { ratio: longer, busy_ratio }] of Object.entries(flooded)) {
      // Half of the machine is what an account may take: so do other processes, and no service can do better then.
      if (longer > Math.max(MOST_RATIO, ABOVE_BUSY * busy_ratio))
        faults[`an account with ${AGENTS} agents: ${kind}`] = `${longer} times as long as alone, over ${MOST_RATIO}`;
    }
    return {
      ...flooded,
      hostile: answered,
      cores: Object.fromEntries(Object.entries(cores).map(([name, list]) => [name, round(median(list))])),
      doors,
      goals: { ratio: "<= 2", doors: "<= 2 each" },
      faults,
    };
  } finally {
    await web.stop();
  }
}

async function must(response: Promise<Response>): Promise<void> {
  const { ok, status } = await response;
  if (!ok) throw new Error(`answered ${status}`);
}

/** Keeps each core busy with a process that doesn't call the service. No service can protect its callers from that. */
function keepBusy(): () => void {
  const spinning = Array.from({ length: availableParallelism() }, () =>
    // It ends by itself if this process dies before it can kill it.
    spawn(process.execPath, ["-e", "const end = Date.now() + 60_000; while (Date.now() < end);"], { stdio: "ignore" }),
  );
  return () => {
    for (const child of spinning) child.kill();
  };
}

/** Lets an account flood the service from another process until it is stopped; returns its responses by status. */
export async function startFlood(flood: Flood): Promise<{ pid: number; stop(): Promise<Record<string, number>> }> {
  const child = spawn(process.execPath, [await program("bench/flood.ts")], {
    cwd: ROOT,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const printed = text(child.stdout);
  child.stdin.write(JSON.stringify(flood));
  return {
    pid: child.pid ?? 0,
    async stop() {
      child.stdin.end();
      return JSON.parse(await printed) as Record<string, number>;
    },
  };
}
