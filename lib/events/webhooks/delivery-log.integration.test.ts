import { eq, type SQLWrapper, sql } from "drizzle-orm";
import { encodeTime } from "ulid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { webhookDeliveries, webhookQueue, webhooks } from "@/db/schema/webhooks";
import type { SessionContext } from "@/lib/base/context/context";
import { newId } from "@/lib/base/ids";
import { appendEvents } from "@/lib/events/append-events";
import { Owner } from "@/test/accounts/owner";
import { asOwner } from "@/test/services/as-owner";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { createWebhook } from "./create-webhook";
import { deleteWebhook } from "./delete-webhook";
import { toDeliveryDetails, toDeliveryList } from "./delivery-resource";
import { enqueueTest } from "./enqueue-test";
import { getDelivery } from "./get-delivery";
import { getWebhook } from "./get-webhook";
import { listAllDeliveries, listDeliveries, pageOfAllDeliveries, pageOfDeliveries } from "./list-deliveries";
import { listHealth } from "./list-health";
import { replayEvent } from "./replay-event";
import { retryNow } from "./retry-now";
import { ListAllDeliveriesQuery, ListDeliveriesQuery } from "./schema";

const INPUT = {
  url: "http://localhost:4000/hook",
  events: ["transfer.confirmed" as const, "transfer.failed" as const],
};
const PAYLOAD = {
  transfer_id: "tr_1",
  direction: "sent",
  counterparty: "@x",
  asset: "USDG",
  confidential: true,
  tx_hash: `0x${"00".repeat(32)}`,
} as const;

let services: SharedServices;
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());

const someone = async (): Promise<SessionContext> => (await Owner.create(46630)).session;
const happen = ({ chainId, account }: SessionContext, type: "transfer.confirmed" | "transfer.failed") =>
  db().transaction((tx) => appendEvents(tx, [{ chainId, type, subject: account, payload: PAYLOAD }], new Date()));
const all = async (ctx: SessionContext, query: Record<string, string> = {}) =>
  (await listAllDeliveries(ctx, ListAllDeliveriesQuery.parse(query))).deliveries;

test("the log of all webhooks is newest first, in pages, by webhook, type, event, status and time", async () => {
  const ctx = await someone();
  const [first, second, deleted] = await Promise.all([1, 2, 3].map(() => createWebhook(ctx, INPUT)));
  if (!first || !second || !deleted) throw new Error("a webhook was not made");
  await happen(ctx, "transfer.confirmed");
  const between = new Date(Date.now() + 2);
  await new Promise((resolve) => setTimeout(resolve, 5));
  await happen(ctx, "transfer.failed");
  await deleteWebhook(ctx, deleted.webhook.id);
  const log = await all(ctx);
  expect(log.map(({ event }) => event)).toEqual([
    "transfer.failed",
    "transfer.failed",
    "transfer.confirmed",
    "transfer.confirmed",
  ]);
  expect(log.map(({ id }) => id)).toEqual(log.map(({ id }) => id).sort((a, b) => (a < b ? 1 : -1)));
  const page = await listAllDeliveries(ctx, ListAllDeliveriesQuery.parse({ limit: "1", offset: "1" }));
  expect([page.deliveries, page.hasMore]).toEqual([[log[1]], true]);
  expect(await all(ctx, { event: "transfer.confirmed" })).toEqual(log.slice(2));
  expect(await all(ctx, { event_id: log[0]?.eventId ?? "" })).toEqual(log.slice(0, 2));
  expect(await all(ctx, { from: between.toISOString() })).toEqual(log.slice(0, 2));
  expect(await all(ctx, { to: between.toISOString() })).toEqual(log.slice(2));
  expect(await all(ctx, { status: "succeeded" })).toEqual([]);
  const ofFirst = await all(ctx, { webhook_id: first.webhook.id });
  expect(ofFirst.map(({ webhookId }) => webhookId)).toEqual(Array(2).fill(first.webhook.id));
  expect((await listDeliveries(ctx, first.webhook.id, ListDeliveriesQuery.parse({}))).deliveries).toEqual(ofFirst);
});

test("a delivery shows the request as it was sent, without signatures", async () => {
  const ctx = await someone();
  const { webhook, secret } = await createWebhook(ctx, INPUT);
  await happen(ctx, "transfer.confirmed");
  const [row] = await all(ctx);
  if (!row) throw new Error("nothing was queued");
  const show = async (id: string) => toDeliveryDetails(await getDelivery(ctx, id));
  expect((await show(row.id)).request).toBeNull();
  await db()
    .update(webhookDeliveries)
    .set({ attempt: 1, attemptedAt: new Date(1_700_000_000_900) });
  const { request, ...shown } = await show(row.id);
  expect(shown).toMatchObject({ delivery_id: row.id, webhook_id: webhook.id, event_id: row.eventId });
  expect(request).toMatchObject({
    method: "POST",
    url: INPUT.url,
    headers: {
      "content-type": "application/json",
      "webhook-id": row.eventId,
      "webhook-timestamp": "1700000000",
      "webhook-signature": null,
      "x-service-signature": null,
    },
  });
  expect(JSON.parse(request?.body ?? "")).toMatchObject({ event_id: row.eventId, transfer_id: "tr_1" });
  expect(JSON.stringify(request)).not.toContain(secret);
  const test = await enqueueTest(ctx, webhook.id, {});
  await db().update(webhookDeliveries).set({ attemptedAt: new Date() });
  expect(JSON.parse((await show(test.id)).request?.body ?? "")).toMatchObject({ test: true });
});

test("another account, the other network and an agent see no webhook, no delivery and no request", async () => {
  const [ctx, stranger] = [await someone(), await someone()];
  const { webhook } = await createWebhook(ctx, INPUT);
  await happen(ctx, "transfer.confirmed");
  const [row] = await all(ctx);
  if (!row) throw new Error("nothing was queued");
  for (const other of [stranger, { ...ctx, network: "live", chainId: 4663 } as const]) {
    expect(await all(other)).toEqual([]);
    expect(await all(other, { webhook_id: webhook.id })).toEqual([]);
    await expect(getDelivery(other, row.id)).rejects.toMatchObject({ code: "not_found" });
    await expect(getWebhook(other, webhook.id)).rejects.toMatchObject({ code: "not_found" });
    await expect(replayEvent(other, webhook.id, row.eventId)).rejects.toMatchObject({ code: "not_found" });
  }
  const agent: SessionContext = { ...ctx, account: { ...ctx.account, id: newId("account"), type: "agent" } };
  await expect(all(agent)).rejects.toMatchObject({ code: "key_forbidden" });
  await expect(getDelivery(agent, row.id)).rejects.toMatchObject({ code: "key_forbidden" });
  await expect(getWebhook(agent, webhook.id)).rejects.toMatchObject({ code: "key_forbidden" });
  expect(await all(ctx)).toEqual([row]);
});

async function blocksOf(statement: SQLWrapper): Promise<number> {
  type Plan = { "Shared Hit Blocks": number; "Shared Read Blocks": number };
  const [explained] = await db().execute<{ "QUERY PLAN": [{ Plan: Plan }] }>(
    sql`explain (analyze, buffers, format json) ${statement.getSQL()}`,
  );
  const plan = explained?.["QUERY PLAN"][0].Plan;
  return (plan?.["Shared Hit Blocks"] ?? 1e9) + (plan?.["Shared Read Blocks"] ?? 1e9);
}

test("every filter of the log reads few blocks, however many deliveries there are", async () => {
  const ctx = await someone();
  const { webhook } = await createWebhook(ctx, INPUT);
  const many = 100_000;
  const start = Date.now() - many * 1000;
  const ids = Array.from({ length: many }, (_, n) => `dlv_${encodeTime(start + n * 1000, 10)}${"0".repeat(16)}`);
  await db().execute(sql`
    insert into ${webhookDeliveries} (id, webhook_id, event_id, event, url, trigger, status, attempt, due_at, created_at)
    select id, ${webhook.id}, 'evt_' || lpad(n::text, 26, '0'),
      case when n % 10 = 1 then 'transfer.failed' when n = 7 then 'agent.policy.updated' else 'transfer.confirmed' end,
      'u', 'automatic', 'succeeded', 1, now(), to_timestamp(${start}::float8 / 1000 + n - 1)
    from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) with ordinality as given(id, n)`);
  await asOwner((owner) => owner`vacuum analyze webhook_deliveries`);
  const middle = new Date(start + (many / 2) * 1000).toISOString();
  for (const [filter, expected] of [
    [{}, 20],
    [{ event: "transfer.confirmed" }, 20],
    [{ event: "transfer.failed" }, 20],
    [{ event: "agent.policy.updated" }, 1],
    [{ event: "agent.transaction.rejected" }, 0],
    [{ event_id: `evt_${"77".padStart(26, "0")}` }, 1],
    [{ to: middle }, 20],
    [{ from: middle, to: new Date(Date.parse(middle) + 5_000).toISOString() }, 4],
  ] as const) {
    const query = ListAllDeliveriesQuery.parse(filter);
    expect(await all(ctx, filter), JSON.stringify(filter)).toHaveLength(expected);
    expect(await blocksOf(pageOfAllDeliveries(ctx, query)), JSON.stringify(filter)).toBeLessThan(100);
    expect(await blocksOf(pageOfDeliveries(webhook.id, query)), JSON.stringify(filter)).toBeLessThan(100);
  }
});

test("a webhook's health counts what was attempted, reports the newest attempt, and is its owner's alone", async () => {
  const [ctx, stranger] = await Promise.all([someone(), someone()]);
  const { webhook } = await createWebhook(ctx, INPUT);
  const [webhookId, now] = [webhook.id, new Date(Date.now() + 60_000)];
  const untried = { webhookId, attempted: 0, failed: 0, last: null, arrived: [], failingSince: null };
  expect(await listHealth(ctx)).toEqual([{ ...untried, waiting: 0, nextAttemptAt: null }]);
  for (const type of ["transfer.confirmed", "transfer.failed", "transfer.confirmed"] as const) await happen(ctx, type);
  // A delivery that has been due for a while is attempted now. The time is never in the past.
  expect(await listHealth(ctx, now)).toEqual([{ ...untried, waiting: 3, nextAttemptAt: now }]);
  const [, second, first] = await all(ctx);
  const attempted = (id = "", status: "failed" | "succeeded", responseCode: number, attemptedAt: Date) =>
    db()
      .update(webhookDeliveries)
      .set({ status, attempt: 1, responseCode, attemptedAt })
      .where(eq(webhookDeliveries.id, id));
  const at = new Date();
  // The older delivery has the newest attempt.
  await attempted(second?.id, "succeeded", 204, new Date(at.getTime() - 1_000));
  await attempted(first?.id, "failed", 503, at);
  const last = { at, status: "failed", responseCode: 503, error: null };
  const fared = { webhookId, attempted: 2, failed: 1, last, arrived: [false, true], waiting: 3 };
  expect(await listHealth(ctx, now)).toEqual([{ ...fared, failingSince: null, nextAttemptAt: now }]);
  const pausedUntil = new Date(now.getTime() + 30_000);
  await db().update(webhooks).set({ failingSince: at, pausedUntil }).where(eq(webhooks.id, webhookId));
  expect(await listHealth(ctx, now)).toEqual([{ ...fared, failingSince: at, nextAttemptAt: pausedUntil }]);
  expect(await listHealth(stranger)).toEqual([]);
});

test("no delivery shows a next attempt in the past: behind a failing endpoint it waits for the end of the pause", async () => {
  const ctx = await someone();
  const { webhook } = await createWebhook(ctx, INPUT);
  await happen(ctx, "transfer.confirmed");
  const long = new Date(Date.now() - 3_600_000);
  await db()
    .update(webhookDeliveries)
    .set({ dueAt: long, createdAt: long })
    .where(eq(webhookDeliveries.webhookId, webhook.id));
  const shown = async () => {
    const [row] = await all(ctx);
    const lists = await Promise.all([
      listAllDeliveries(ctx, ListAllDeliveriesQuery.parse({})),
      listDeliveries(ctx, webhook.id, ListDeliveriesQuery.parse({})),
    ]);
    const details = toDeliveryDetails(await getDelivery(ctx, row?.id ?? ""));
    const listed = lists.map((page) => toDeliveryList(page).deliveries[0]?.next_attempt_at);
    return [...listed, details.next_attempt_at].map((time) => Date.parse(time ?? ""));
  };
  const asked = Date.now();
  for (const time of await shown()) expect(time).toBeGreaterThanOrEqual(asked);
  const pausedUntil = new Date(Date.now() + 30_000);
  await db().update(webhooks).set({ pausedUntil }).where(eq(webhooks.id, webhook.id));
  expect(await shown()).toEqual(Array(3).fill(+pausedUntil));
});

test("retry now ends the pause and makes what waits due, each once, for its owner alone", async () => {
  const [ctx, stranger] = await Promise.all([someone(), someone()]);
  const { webhook } = await createWebhook(ctx, INPUT);
  await happen(ctx, "transfer.confirmed");
  await happen(ctx, "transfer.failed");
  const later = new Date(Date.now() + 3_600_000);
  for (const table of [webhookDeliveries, webhookQueue]) {
    await db().update(table).set({ dueAt: later, attempt: 4 }).where(eq(table.webhookId, webhook.id));
  }
  await db().update(webhooks).set({ pausedUntil: later }).where(eq(webhooks.id, webhook.id));
  await expect(retryNow(stranger, webhook.id)).rejects.toMatchObject({ code: "not_found" });
  expect((await all(ctx)).map(({ dueAt }) => dueAt)).toEqual([later, later]);
  expect(await retryNow(ctx, webhook.id)).toBe(2);
  const rows = await all(ctx);
  expect(rows.map(({ attempt }) => attempt)).toEqual([4, 4]);
  for (const { dueAt } of rows) expect(+dueAt).toBeLessThanOrEqual(Date.now());
  expect((await getWebhook(ctx, webhook.id)).pausedUntil).toBeNull();
  expect(await retryNow(ctx, webhook.id)).toBe(0);
  await db().update(webhooks).set({ enabled: false }).where(eq(webhooks.id, webhook.id));
  await expect(retryNow(ctx, webhook.id)).rejects.toMatchObject({ code: "invalid_request" });
});
