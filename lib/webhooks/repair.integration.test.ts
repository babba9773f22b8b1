import { eq } from "drizzle-orm";
import { encodeTime } from "ulid";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "@/db/client";
import { auditLog } from "@/db/schema/audit";
import { events } from "@/db/schema/events";
import { webhookDeliveries, webhooks } from "@/db/schema/webhooks";
import { startLocalDatabase } from "@/scripts/testing/local-database";
import { Receiver } from "@/scripts/testing/receiver";
import { deleteWebhook } from "./delete-webhook";
import { enableValues } from "./disable-webhook";
import { closeAbandoned, dueWebhooks } from "./due";
import { deliveriesOf, type Endpoint, endpointRow, makeEndpoint, makeEvents } from "./endpoint.fixture";
import { enqueueTest } from "./enqueue-test";
import { Pumps } from "./pumps";
import { redeliverFailed } from "./redeliver-failed";
import { removeOld } from "./remove-old";
import { replayEvent } from "./replay-event";

const HOUR = 3_600_000;
let database: { stop(): Promise<void> };
let receiver: Receiver;
let pumps: Pumps;
/** The time the pumps go by. */
let now: Date;

beforeAll(async () => {
  database = await startLocalDatabase();
}, 60_000);
afterAll(() => database?.stop());
beforeEach(async () => {
  now = new Date();
  receiver = await Receiver.start();
  pumps = new Pumps({ clock: () => new Date(now), random: () => 0 });
});
afterEach(async () => {
  await pumps.stop();
  await receiver.stop();
});

const pass = (ms: number) => {
  now = new Date(now.getTime() + ms);
};

/** Verbs go by the machine's clock. */
const catchUp = () => {
  now = new Date(Math.max(now.getTime(), Date.now()));
};

async function deliver(endpoint: { id: string }): Promise<void> {
  pumps.ring(endpoint.id);
  await pumps.quiet();
}

const fail = (status = 500) => {
  receiver.answer = (response) => response.writeHead(status).end();
};
const recover = () => fail(200);

const statuses = async (endpoint: Endpoint) =>
  (await deliveriesOf(endpoint)).map(({ trigger, status }) => `${trigger} ${status}`);

/** Goes from one due time to the next, as a worker does, until nothing is open or `ms` have passed. */
async function walk(endpoint: Endpoint, ms: number): Promise<Date[]> {
  const [times, end] = [[] as Date[], now.getTime() + ms];
  for (;;) {
    const before = receiver.received.length;
    await deliver(endpoint);
    if (receiver.received.length > before) times.push(new Date(now));
    const open = (await deliveriesOf(endpoint)).filter(({ status }) => status === "pending" || status === "failed");
    const { pausedUntil, enabled } = await endpointRow(endpoint);
    const next = Math.max(Math.min(...open.map(({ dueAt }) => dueAt.getTime())), pausedUntil?.getTime() ?? 0);
    if (!enabled || open.length === 0 || next > end) return times;
    now = new Date(Math.max(next, now.getTime() + 1));
  }
}

describe("the whole schedule", () => {
  test("of a receiver that never answers well: 15 attempts in 22 h 45 min, then exhausted, no more", async () => {
    fail();
    const endpoint = await makeEndpoint(receiver.url());
    await makeEvents(endpoint, 1, now);
    const start = now.getTime();
    const times = await walk(endpoint, 48 * HOUR);
    expect(times.map((time) => Math.round((time.getTime() - start) / 1000))).toEqual(
      Array.from({ length: 15 }, (_, i) => 5 * (2 ** i - 1)),
    );
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: "exhausted", attempt: 15, responseCode: 500 }]);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    pass(48 * HOUR);
    await deliver(endpoint);
    expect(receiver.received.length).toBe(15);
  });

  test("ends with the first success", async () => {
    receiver.answer = (response, _, n) => response.writeHead(n < 4 ? 503 : 200).end();
    const endpoint = await makeEndpoint(receiver.url());
    await makeEvents(endpoint, 1, now);
    await walk(endpoint, 48 * HOUR);
    expect(receiver.received.length).toBe(4);
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: "succeeded", attempt: 4, responseCode: 200 }]);
    expect(await endpointRow(endpoint)).toMatchObject({ failingSince: null, failures: 0, pausedUntil: null });
  });

  test("of Retry-After: as long as asked, to the window's end at most", async () => {
    receiver.answer = (response) => response.writeHead(429, { "retry-after": String(10 * 3_600) }).end();
    const endpoint = await makeEndpoint(receiver.url());
    await makeEvents(endpoint, 1, now);
    const start = now.getTime();
    const times = await walk(endpoint, 48 * HOUR);
    expect(times.map((time) => Math.round((time.getTime() - start) / HOUR))).toEqual([0, 10, 20, 24]);
    expect(await statuses(endpoint)).toEqual(["automatic exhausted"]);
  });
});

describe("an endpoint", () => {
  const audit = (endpoint: Endpoint) => db().select().from(auditLog).where(eq(auditLog.target, endpoint.id));

  test("that only fails for 5 days is disabled, and the audit log says so", async () => {
    fail();
    const endpoint = await makeEndpoint(receiver.url());
    for (let hour = 0; hour < 5 * 24; hour += 12) {
      await makeEvents(endpoint, 1, now);
      await deliver(endpoint);
      pass(12 * HOUR);
    }
    expect(await endpointRow(endpoint)).toMatchObject({ enabled: true });
    await makeEvents(endpoint, 2, now);
    await deliver(endpoint);
    expect(await endpointRow(endpoint)).toMatchObject({ enabled: false, disabledReason: "failing", pump: null });
    expect(await audit(endpoint)).toMatchObject([
      { action: "webhook.disabled", actorType: "system", after: { enabled: false, disabled_reason: "failing" } },
    ]);
    const [, before] = [await makeEvents(endpoint, 1, now), receiver.received.length];
    await deliver(endpoint);
    expect(receiver.received.length).toBe(before);
  });

  test("that answers only 410 for 24 hours is disabled; one other answer between keeps it", async () => {
    const [gone, wavering] = [await makeEndpoint(receiver.url("/gone")), await makeEndpoint(receiver.url("/other"))];
    for (let hour = 0; hour <= 24; hour += 6) {
      for (const endpoint of [gone, wavering]) {
        fail(endpoint === wavering && hour === 12 ? 500 : 410);
        await makeEvents(endpoint, 1, now);
        await deliver(endpoint);
      }
      pass(6 * HOUR);
    }
    expect(await endpointRow(gone)).toMatchObject({ enabled: false, disabledReason: "gone" });
    expect(await endpointRow(wavering)).toMatchObject({ enabled: true });
    expect((await audit(gone)).length).toBe(1);
    expect(await audit(wavering)).toEqual([]);
  });

  test("that is disabled gets nothing; what was open is closed, and redelivered after enabling", async () => {
    fail();
    const endpoint = await makeEndpoint(receiver.url());
    await makeEvents(endpoint, 3, now);
    await deliver(endpoint);
    await db().update(webhooks).set({ enabled: false }).where(eq(webhooks.id, endpoint.id));
    const { due, abandoned } = await dueWebhooks(now);
    expect([due.includes(endpoint.id), abandoned.includes(endpoint.id)]).toEqual([false, true]);
    await closeAbandoned(endpoint.id);
    expect(await statuses(endpoint)).toEqual(Array(3).fill("automatic exhausted"));
    await expect(redeliverFailed(endpoint.ctx, endpoint.id, new Date(0))).rejects.toMatchObject({
      code: "invalid_request",
    });
    await db().update(webhooks).set(enableValues()).where(eq(webhooks.id, endpoint.id));
    recover();
    const before = receiver.received.length;
    expect(await redeliverFailed(endpoint.ctx, endpoint.id, new Date(0))).toEqual({ queued: 3, more: false });
    catchUp();
    await deliver(endpoint);
    expect(receiver.received.length).toBe(before + 3);
  });

  test("that fails is probed one at a time, and what piled up arrives once it recovers", async () => {
    fail();
    const endpoint = await makeEndpoint(receiver.url());
    await makeEvents(endpoint, 50, now);
    await deliver(endpoint);
    expect([receiver.received.length, receiver.mostAtOnce]).toEqual([3, 1]);
    await deliver(endpoint);
    expect(receiver.received.length).toBe(3);
    pass(250);
    expect((await dueWebhooks(now)).due).toContain(endpoint.id);
    await deliver(endpoint);
    expect(receiver.received.length).toBe(4);
    recover();
    pass(60_000);
    await deliver(endpoint);
    expect(await statuses(endpoint)).toEqual(Array(50).fill("automatic succeeded"));
  });
});

describe("a deletion", () => {
  test("ends what is under way: nothing is sent after it, nothing that was queued either", async () => {
    receiver.answer = () => {};
    const endpoint = await makeEndpoint(receiver.url());
    await makeEvents(endpoint, 20, now);
    pumps.ring(endpoint.id);
    await receiver.until(1);
    const deleting = deleteWebhook(endpoint.ctx, endpoint.id);
    while ((await endpointRow(endpoint)).deletedAt === null) await new Promise((resolve) => setTimeout(resolve, 1));
    // What the worker does when it hears of it (lib/jobs/webhooks.ts).
    pumps.interrupt(endpoint.id);
    await deleting;
    expect(receiver.atOnce).toBe(0);
    const before = receiver.received.length;
    await makeEvents(endpoint, 1, now);
    await deliver(endpoint);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(receiver.received.length).toBe(before);
    expect(await endpointRow(endpoint)).toMatchObject({ secret: null, enabled: false, pump: null });
  });

  test("of somebody else's endpoint, or on the other network, is not found and changes nothing", async () => {
    const [mine, foreign] = [await makeEndpoint(receiver.url()), await makeEndpoint(receiver.url())];
    const elsewhere = { ...mine.ctx, chainId: 4663 as const, network: "live" as const };
    await expect(deleteWebhook(mine.ctx, foreign.id)).rejects.toMatchObject({ code: "not_found" });
    await expect(deleteWebhook(elsewhere, mine.id)).rejects.toMatchObject({ code: "not_found" });
    const agent = { ...mine.ctx, account: { ...mine.ctx.account, type: "agent" as const } };
    await expect(deleteWebhook(agent, mine.id)).rejects.toMatchObject({ code: "key_forbidden" });
    expect((await endpointRow(mine)).deletedAt).toBeNull();
    expect((await endpointRow(foreign)).deletedAt).toBeNull();
  });
});

describe("a replay", () => {
  test("keeps the event's id, and ends its pending retries when it arrives", async () => {
    fail();
    const endpoint = await makeEndpoint(receiver.url());
    await makeEvents(endpoint, 2, now);
    await deliver(endpoint);
    const [first] = await deliveriesOf(endpoint);
    if (!first) throw new Error("no delivery");
    recover();
    const replay = await replayEvent(endpoint.ctx, endpoint.id, first.eventId);
    expect(replay).toMatchObject({ eventId: first.eventId, trigger: "replay", status: "pending", attempt: 0 });
    expect(replay.id).not.toBe(first.id);
    catchUp();
    await deliver(endpoint);
    expect(receiver.received.at(-1)?.headers["webhook-id"]).toBe(first.eventId);
    expect(await statuses(endpoint)).toEqual(["automatic exhausted", "automatic failed", "replay succeeded"]);
    const before = receiver.received.length;
    pass(24 * HOUR);
    await deliver(endpoint);
    expect(receiver.received.length).toBe(before + 1);
  });

  test("of another owner's event is not found", async () => {
    const [mine, foreign] = [await makeEndpoint(receiver.url()), await makeEndpoint(receiver.url())];
    await makeEvents(foreign);
    const [theirs] = await deliveriesOf(foreign);
    const asked = replayEvent(mine.ctx, mine.id, theirs?.eventId ?? "");
    await expect(asked).rejects.toMatchObject({ code: "not_found" });
  });

  test("of everything that failed leaves out what arrived, what is older, and what is being replayed", async () => {
    fail();
    const endpoint = await makeEndpoint(receiver.url());
    await makeEvents(endpoint, 3, now);
    await walk(endpoint, 24 * HOUR);
    const since = new Date();
    await new Promise((resolve) => setTimeout(resolve, 2));
    await makeEvents(endpoint, 2, now);
    await walk(endpoint, 24 * HOUR);
    expect(await redeliverFailed(endpoint.ctx, endpoint.id, since)).toEqual({ queued: 2, more: false });
    expect(await redeliverFailed(endpoint.ctx, endpoint.id, since)).toEqual({ queued: 0, more: false });
    expect(await redeliverFailed(endpoint.ctx, endpoint.id, new Date(0))).toEqual({ queued: 3, more: false });
    recover();
    pass(1);
    await deliver(endpoint);
    expect(await redeliverFailed(endpoint.ctx, endpoint.id, new Date(0))).toEqual({ queued: 0, more: false });
  });
});

test("a test event is sent once, marked as one, and says nothing about the endpoint's health", async () => {
  fail();
  const endpoint = await makeEndpoint(receiver.url());
  await enqueueTest(endpoint.ctx, endpoint.id, { event: "agent.policy.updated" });
  catchUp();
  await deliver(endpoint);
  const [row] = await deliveriesOf(endpoint);
  expect(row).toMatchObject({ trigger: "test", status: "exhausted", attempt: 1, event: "agent.policy.updated" });
  expect(JSON.parse(receiver.received[0]?.body ?? "")).toMatchObject({ test: true, event_id: row?.eventId });
  expect(
    await db()
      .select()
      .from(events)
      .where(eq(events.id, row?.eventId ?? "")),
  ).toEqual([]);
  expect(await endpointRow(endpoint)).toMatchObject({ failingSince: null, failures: 0 });
});

test("a test goes ahead of all that has piled up for an endpoint that fails", async () => {
  fail();
  const endpoint = await makeEndpoint(receiver.url());
  await makeEvents(endpoint, 30, now);
  await deliver(endpoint);
  const before = receiver.received.length;
  const { eventId } = await enqueueTest(endpoint.ctx, endpoint.id, {});
  await deliver(endpoint);
  expect(receiver.received[before]?.headers["webhook-id"]).toBe(eventId);
});

describe("retention", () => {
  const DAY = 24 * HOUR;

  test("removes events and deliveries older than 90 days, in batches, and keeps the others", async () => {
    const endpoint = await makeEndpoint(receiver.url());
    await makeEvents(endpoint);
    const [kept] = await deliveriesOf(endpoint);
    if (!kept) throw new Error("no delivery");
    const [event] = await db().select().from(events).where(eq(events.id, kept.eventId));
    if (!event) throw new Error("no event");
    const old = (prefix: string, age: number, i: number) =>
      `${prefix}${encodeTime(now.getTime() - age, 10)}${String(i).padStart(16, "0")}`;
    const aged = (age: number, count: number) => Array.from({ length: count }, (_, i) => [age, i] as const);
    const ages = [...aged(90 * DAY + HOUR, 2_500), ...aged(90 * DAY - HOUR, 3)];
    await db()
      .insert(events)
      .values(ages.map(([age, i]) => ({ ...event, id: old("evt_", age, i) })));
    await db()
      .insert(webhookDeliveries)
      .values(ages.map(([age, i]) => ({ ...kept, id: old("dlv_", age, i) })));
    await removeOld(now);
    expect((await deliveriesOf(endpoint)).length).toBe(4);
    expect((await db().select().from(events).where(eq(events.rootId, event.rootId))).length).toBe(4);
  });

  test("removes what is left of a deleted endpoint after a day", async () => {
    const endpoint = await makeEndpoint(receiver.url());
    await makeEvents(endpoint, 3);
    await deleteWebhook(endpoint.ctx, endpoint.id);
    await removeOld(new Date(Date.now() + DAY / 2));
    expect((await deliveriesOf(endpoint)).length).toBe(3);
    await removeOld(new Date(Date.now() + DAY + HOUR));
    expect(await deliveriesOf(endpoint)).toEqual([]);
    expect(await db().select().from(webhooks).where(eq(webhooks.id, endpoint.id))).toEqual([]);
  });
});
