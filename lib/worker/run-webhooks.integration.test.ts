import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { inArray } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "@/db/client";
import { events } from "@/db/schema/events";
import { webhookDeliveries } from "@/db/schema/webhooks";
import { deleteWebhook } from "@/lib/events/webhooks/delete-webhook";
import { program } from "@/scripts/stack/program";
import { startLocalDatabase } from "@/test/services/local-database";
import { Receiver } from "@/test/services/receiver";
import { deliveriesOf, endpointRow, makeEndpoint, makeEvents, wronglyQueued } from "@/test/webhooks/endpoint";
import { runWebhooks } from "./run-webhooks";

let database: { stop(): Promise<void> };
let receiver: Receiver;

beforeAll(async () => {
  database = await startLocalDatabase();
});
afterAll(() => database?.stop());
beforeEach(async () => {
  receiver = await Receiver.start();
});
afterEach(async () => {
  await receiver.stop();
  expect(await wronglyQueued()).toEqual([]);
});

/** Runs a worker's deliveries in this process while `work` runs. */
async function withWorker(work: () => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const worker = runWebhooks(stop.signal);
  try {
    await work();
  } finally {
    stop.abort();
    await worker;
  }
}

describe("a running worker", () => {
  test("sends an event at once when its transaction commits, not before, and not when it is rolled back", async () => {
    const endpoint = await makeEndpoint(receiver.url());
    await withWorker(async () => {
      await makeEvents(endpoint);
      await receiver.until(1);
      let [sent, late] = [1, Number.POSITIVE_INFINITY];
      // Each event commits just after a poll, so with polling alone every one would be late. At least one is notified.
      while (late >= 250 && sent < 60) {
        await makeEvents(endpoint);
        const committed = performance.now();
        sent += 1;
        await receiver.until(sent);
        late = (receiver.received.at(-1)?.at ?? 0) - committed;
      }
      expect(late).toBeLessThan(250);
      const rolledBack = makeEvents(endpoint, 1, new Date(), async () => {
        await sleep(1_200);
        throw new Error("the payment fails");
      });
      await expect(rolledBack).rejects.toThrow("the payment fails");
      await sleep(600);
      expect(receiver.received.length).toBe(sent);
    });
  });

  test("makes the first retry after 5 seconds, and not with what happens later", async () => {
    receiver.respond = (response, _, n) => response.writeHead(n === 1 ? 500 : 200).end();
    const endpoint = await makeEndpoint(receiver.url());
    await withWorker(async () => {
      await makeEvents(endpoint);
      await receiver.until(2);
    });
    const [first, second] = receiver.received;
    const pause = (second?.at ?? 0) - (first?.at ?? 0);
    expect(pause).toBeGreaterThanOrEqual(4_990);
    // lib/events/webhooks/delivery/schedule.test.ts tests the exact time.
    expect(pause).toBeLessThan(30_000);
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: "succeeded", attempt: 2 }]);
  });

  test("breaks off what it sends to an endpoint that is deleted, at once", async () => {
    receiver.respond = () => {};
    const endpoint = await makeEndpoint(receiver.url());
    await withWorker(async () => {
      await makeEvents(endpoint, 5);
      await receiver.until(1);
      const start = performance.now();
      await deleteWebhook(endpoint.ctx, endpoint.id);
      // What hangs is given up after 15 s.
      expect(performance.now() - start).toBeLessThan(14_000);
      await receiver.untilIdle();
      expect([receiver.atOnce, receiver.received.length]).toEqual([0, 1]);
      await makeEvents(endpoint);
      await sleep(1_500);
      expect(receiver.received.length).toBe(1);
    });
    expect((await deliveriesOf(endpoint)).every(({ status }) => status === "exhausted")).toBe(true);
  });

  test("that is stopped lets go of its endpoints, and what it did not finish is left for the next", async () => {
    receiver.respond = (response, _, n) => void setTimeout(() => response.writeHead(200).end(), n > 50 ? 500 : 1);
    const endpoint = await makeEndpoint(receiver.url());
    await withWorker(async () => {
      await makeEvents(endpoint, 200);
      await receiver.until(60);
    });
    expect((await endpointRow(endpoint)).worker).toBeNull();
    receiver.respond = (response) => response.writeHead(200).end();
    await withWorker(async () => {
      await receiver.until(200);
      await sleep(200);
    });
    expect(receiver.received.length).toBe(200);
  });

  test("is not held up by receivers that hang", async () => {
    const hanging = await Receiver.start();
    hanging.respond = () => {};
    const silent = await Promise.all(Array.from({ length: 300 }, () => makeEndpoint(hanging.url())));
    const endpoint = await makeEndpoint(receiver.url());
    await withWorker(async () => {
      for (const each of silent) await makeEvents(each, 3);
      await hanging.until(280);
      let took = Number.POSITIVE_INFINITY;
      // Deliveries that hang are given up after 15 s. A busy machine may take as long once, but not each time.
      for (let round = 1; took >= 14_000 && round <= 3; round++) {
        if (round > 1) await expect.poll(() => hanging.atOnce).toBeGreaterThanOrEqual(200);
        const start = performance.now();
        await makeEvents(endpoint, 50);
        await receiver.until(50 * round);
        took = performance.now() - start;
      }
      expect(took).toBeLessThan(14_000);
    });
    await hanging.stop();
  });
});

test("workers killed at any point lose nothing: every event arrives, under its own id", async () => {
  const script = await program("test/webhooks/webhooks.ts");
  const start = () =>
    new Promise<ChildProcess>((resolve) => {
      const child = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
      child.stdout?.once("data", () => resolve(child));
    });
  receiver.respond = (response, _, n) =>
    void setTimeout(() => response.writeHead(n % 9 === 0 ? 500 : 200).end(), n % 5 === 0 ? 60 : 3);
  const endpoints = await Promise.all(Array.from({ length: 6 }, () => makeEndpoint(receiver.url())));
  for (let round = 0; round < 6; round++) {
    const worker = await start();
    const gone = new Promise((resolve) => worker.once("exit", resolve));
    for (let i = 0; i < 8; i++) {
      for (const endpoint of endpoints) await makeEvents(endpoint, 3);
      await sleep(20 + round * 15);
    }
    worker.kill("SIGKILL");
    await gone;
  }
  receiver.respond = (response) => response.writeHead(200).end();
  const last = await start();
  const rootIds = endpoints.map(({ ctx }) => ctx.account.rootId);
  const ids = (await db().select({ id: events.id }).from(events).where(inArray(events.rootId, rootIds))).map(
    ({ id }) => id,
  );
  expect(ids.length).toBe(6 * 8 * 6 * 3);
  const mine = inArray(
    webhookDeliveries.webhookId,
    endpoints.map(({ id }) => id),
  );
  const open = async () =>
    (await db().select({ status: webhookDeliveries.status }).from(webhookDeliveries).where(mine)).filter(
      ({ status }) => status !== "succeeded",
    ).length;
  for (const end = Date.now() + 240_000; (await open()) > 0 && Date.now() < end; ) await sleep(250);
  expect(await open()).toBe(0);
  const arrived = new Set(receiver.received.map(({ headers }) => headers["webhook-id"]));
  expect(ids.filter((id) => !arrived.has(id))).toEqual([]);
  expect(arrived.size).toBe(ids.length);
  for (const { headers, body } of receiver.received) expect(JSON.parse(body).event_id).toBe(headers["webhook-id"]);
  const gone = new Promise((resolve) => last.once("exit", resolve));
  last.kill("SIGTERM");
  await gone;
});
