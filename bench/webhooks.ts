import { type ChildProcess, fork, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inArray } from "drizzle-orm";
import { Agent } from "undici";
import { db } from "@/db/client";
import { webhooks } from "@/db/schema/webhooks";
import { notifyDue } from "@/lib/events/fan-out";
import { AT_ONCE } from "@/lib/events/webhooks/delivery/endpoint-worker";
import { startLocalDatabase } from "@/test/services/local-database";
import { authority } from "@/test/services/receiver";
import { type Endpoint, makeEndpoint, makeEvents } from "@/test/webhooks/endpoint";
import { median, quantile, round } from "./measure";

const TSX = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
const AUTHORITY = new URL("../test/services/tls/authority.pem", import.meta.url);
const LATENCIES = 300;
const ROUNDS = 3;
const DELIVERIES = 10_000;
// Warm up both sides' compilers: first rounds take twice as long.
const WARM_ROUNDS = 2;
const ENDPOINTS = 1_000;
const DEAD = 100;
const EVENTS_EACH = 10;

interface Count {
  count: number;
  /** Arrival of the newest request's first bytes, in Unix ms. */
  newest: number;
}

/** The process of the receivers (bench/webhook-receiver.ts). */
class Receivers {
  private constructor(
    private readonly child: ChildProcess,
    readonly ports: { answering: number; silent: number; closed: number },
  ) {}

  static async start(): Promise<Receivers> {
    const child = fork(new URL("webhook-receiver.ts", import.meta.url), { execArgv: ["--import", TSX] });
    return new Receivers(child, await new Promise((resolve) => child.once("message", resolve as () => void)));
  }

  url = (which: keyof Receivers["ports"]) => `https://localhost:${this.ports[which]}/hook`;

  ask(): Promise<Count> {
    const response = new Promise<Count>((resolve) => this.child.once("message", resolve as () => void));
    this.child.send("count");
    return response;
  }

  /** Waits until the `count`-th request has arrived. */
  async until(count: number, look: number): Promise<Count> {
    for (;;) {
      const now = await this.ask();
      if (now.count >= count) return now;
      await sleep(look);
    }
  }

  stop = () => void this.child.kill();
}

/**
 * Measures delivery of webhooks by one worker process to a receiver process on the same machine, against bare undici
 * posting the same body to the same receiver, with the same number of requests at once as for one endpoint.
 */
export async function run(): Promise<Record<string, unknown>> {
  const database = await startLocalDatabase();
  const receivers = await Receivers.start();
  const worker = spawn(process.execPath, ["--import", TSX, "test/webhooks/webhooks.ts"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_EXTRA_CA_CERTS: fileURLToPath(AUTHORITY) },
  });
  await new Promise((resolve) => worker.stdout.once("data", resolve));
  try {
    await latencies(receivers, 50);
    const late = await latencies(receivers, LATENCIES);
    // Alternate, so that other load on the machine slows both equally.
    const [bare, one, alone, mixed] = [[], [], [], []] as [number[], number[], number[], number[]];
    for (let i = -WARM_ROUNDS; i < ROUNDS; i++) {
      const rates = [
        await bareUndici(receivers),
        await backlog(receivers, [await makeEndpoint(receivers.url("answering"))], DELIVERIES),
      ] as const;
      if (i < 0) continue;
      bare.push(rates[0]);
      one.push(rates[1]);
    }
    for (let i = 0; i < ROUNDS; i++) {
      alone.push(await many(receivers, 0));
      mixed.push(await many(receivers, DEAD));
    }
    return {
      commit_to_first_byte_ms: { count: LATENCIES, p50: round(quantile(late, 0.5)), p99: round(quantile(late, 0.99)) },
      bare_undici_per_second: bare.map(round),
      one_endpoint_per_second: one.map(round),
      healthy_endpoints_per_second: { alone: alone.map(round), beside_dead_ones: mixed.map(round) },
      ratios: {
        one_endpoint: round(median(one) / median(bare)),
        beside_dead_ones: round(median(mixed) / median(alone)),
      },
      goals: { p50_ms: "<= 10", one_endpoint: ">= 0.6", beside_dead_ones: ">= 0.9" },
    };
  } finally {
    const gone = new Promise((resolve) => worker.once("exit", resolve));
    worker.kill();
    await gone;
    receivers.stop();
    await database.stop();
  }
}

/**
 * Measures the time from the response of an event's commit to the first bytes at the receiver, one event at a time, in
 * ms.
 */
async function latencies(receivers: Receivers, count: number): Promise<number[]> {
  const endpoint = await makeEndpoint(receivers.url("answering"));
  const { count: before } = await receivers.ask();
  const sample: number[] = [];
  for (let i = 1; i <= count; i++) {
    await makeEvents(endpoint);
    const committed = performance.timeOrigin + performance.now();
    const { newest } = await receivers.until(before + i, 2);
    sample.push(Math.max(0, newest - committed));
    await sleep(20);
  }
  return sample;
}

/** Returns requests per second. */
async function bareUndici(receivers: Receivers): Promise<number> {
  const agent = new Agent({ connect: { ca: authority() } });
  const [origin, body] = [`https://localhost:${receivers.ports.answering}`, "x".repeat(420)];
  const headers = { "content-type": "application/json" };
  const post = async () => {
    const response = await agent.request({ origin, path: "/hook", method: "POST", headers, body });
    await response.body.dump();
  };
  const round = async (count: number) => {
    let left = count;
    const start = performance.now();
    const caller = async () => {
      while (left-- > 0) await post();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, caller));
    return (count * 1000) / (performance.now() - start);
  };
  await round(2_000);
  const rate = await round(DELIVERIES);
  await agent.close();
  return rate;
}

/** Returns deliveries per second of a backlog that built up while endpoints were paused, for endpoints that respond. */
async function backlog(receivers: Receivers, endpoints: Endpoint[], each: number, answering = endpoints.length) {
  const ids = endpoints.map(({ id }) => id);
  const paused = (pausedUntil: Date | null) =>
    db().update(webhooks).set({ pausedUntil }).where(inArray(webhooks.id, ids));
  await paused(new Date(Date.now() + 3_600_000));
  for (const endpoint of endpoints) {
    for (let left = each; left > 0; left -= 1_000) await makeEvents(endpoint, Math.min(left, 1_000));
  }
  // Wait until the notifications for these events have passed without effect, and the writes are on disk.
  await sleep(2_000);
  const { count: before } = await receivers.ask();
  const start = performance.timeOrigin + performance.now();
  await db().transaction(async (tx) => {
    await tx.update(webhooks).set({ pausedUntil: null }).where(inArray(webhooks.id, ids));
    await notifyDue(tx, ids);
  });
  const { newest } = await receivers.until(before + answering * each, 20);
  return (answering * each * 1000) / (newest - start);
}

/**
 * Measures the same for many responding endpoints beside `dead` others, half of which hang and half refuse connections.
 */
async function many(receivers: Receivers, dead: number): Promise<number> {
  const healthy = ENDPOINTS - DEAD;
  const endpoints: Endpoint[] = [];
  for (let i = 0; i < healthy; i++) endpoints.push(await makeEndpoint(receivers.url("answering")));
  for (let i = 0; i < dead; i++) endpoints.push(await makeEndpoint(receivers.url(i % 2 ? "silent" : "closed")));
  return backlog(receivers, endpoints, EVENTS_EACH, healthy);
}
