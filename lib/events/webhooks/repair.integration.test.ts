import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db } from "@/db/client";
import { auditLog } from "@/db/schema/audit";
import { webhooks } from "@/db/schema/webhooks";
import {
  catchUp,
  deliver,
  fail,
  now,
  pass,
  receiver,
  recover,
  startPumps,
  statuses,
  walk,
} from "@/test/webhooks/delivery-worker";
import { deliveriesOf, type Endpoint, endpointRow, makeEndpoint, makeEvents } from "@/test/webhooks/endpoint";
import { deleteWebhook } from "./delete-webhook";
import { closeAbandoned, dueWebhooks } from "./delivery/due-webhooks";
import { removeOld } from "./delivery/remove-old";
import { toDeliveryResource } from "./delivery-resource";
import { enableValues } from "./disable-webhook";
import { redeliverFailed } from "./redeliver-failed";

const HOUR = 3_600_000;

startPumps();

describe("the whole schedule", () => {
  test("of a receiver that never responds well: 15 attempts in 22 h 45 min, then exhausted, no more", async () => {
    fail();
    const endpoint = await makeEndpoint(receiver.url());
    await makeEvents(endpoint, 1, now);
    const start = now.getTime();
    const times = await walk(endpoint, 48 * HOUR);
    expect(times.map((time) => Math.round((time.getTime() - start) / 1000))).toEqual(
      Array.from({ length: 15 }, (_, i) => 5 * (2 ** i - 1)),
    );
    const [row, ...others] = await deliveriesOf(endpoint);
    if (!row) throw new Error("no delivery");
    expect([row, others]).toMatchObject([{ status: "exhausted", attempt: 15, responseCode: 500 }, []]);
    // The retry schedule limits how many attempts a delivery stores.
    expect(toDeliveryResource(row).attempts.map(({ attempt }) => attempt)).toEqual(times.map((_, i) => i + 1));
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    pass(48 * HOUR);
    await deliver(endpoint);
    expect(receiver.received.length).toBe(15);
  });

  test("ends with the first success", async () => {
    receiver.respond = (response, _, n) => response.writeHead(n < 4 ? 503 : 200).end();
    const endpoint = await makeEndpoint(receiver.url());
    await makeEvents(endpoint, 1, now);
    await walk(endpoint, 48 * HOUR);
    expect(receiver.received.length).toBe(4);
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: "succeeded", attempt: 4, responseCode: 200 }]);
    expect(await endpointRow(endpoint)).toMatchObject({ failingSince: null, failures: 0, pausedUntil: null });
  });

  test("of Retry-After: as long as asked, to the window's end at most", async () => {
    receiver.respond = (response) => response.writeHead(429, { "retry-after": String(10 * 3_600) }).end();
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
    expect(await endpointRow(endpoint)).toMatchObject({ enabled: false, disabledReason: "failing", worker: null });
    expect(await audit(endpoint)).toMatchObject([
      { action: "webhook.disabled", actorType: "system", after: { enabled: false, disabled_reason: "failing" } },
    ]);
    const [, before] = [await makeEvents(endpoint, 1, now), receiver.received.length];
    await deliver(endpoint);
    expect(receiver.received.length).toBe(before);
  });

  test("that returns only 410 for 24 hours is disabled; one other response between keeps it", async () => {
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
    for (const row of await deliveriesOf(endpoint)) {
      expect(toDeliveryResource(row)).toMatchObject({
        error: "endpoint: disabled",
        attempts: Array.from({ length: row.attempt }, (_, i) => ({ attempt: i + 1, error: "status: 500" })),
      });
    }
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

describe("retention", () => {
  const DAY = 24 * HOUR;

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
