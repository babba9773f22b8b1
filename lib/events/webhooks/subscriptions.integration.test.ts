import { and, asc, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { auditLog } from "@/db/schema/audit";
import { webhooks } from "@/db/schema/webhooks";
import type { SessionContext } from "@/lib/base/context/context";
import { newId } from "@/lib/base/ids";
import { Owner } from "@/test/accounts/owner";
import { asOwner } from "@/test/services/as-owner";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { createWebhook } from "./create-webhook";
import { deleteWebhook } from "./delete-webhook";
import { listDeliveries, pageOfDeliveries } from "./list-deliveries";
import { listWebhooks } from "./list-webhooks";
import { rotateWebhookSecret } from "./rotate-secret";
import { ListDeliveriesQuery } from "./schema";
import { decryptSecret } from "./secrets";
import { updateWebhook } from "./update-webhook";

const MOST_WEBHOOKS = 100;
const INPUT = { url: "http://localhost:4000/hook", events: ["transfer.confirmed" as const] };

let services: SharedServices;
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());

const someone = async (): Promise<SessionContext> => (await Owner.create(46630)).session;
const live = (ctx: SessionContext): SessionContext => ({ ...ctx, network: "live", chainId: 4663 });

async function stored(id: string) {
  const [row] = await db().select().from(webhooks).where(eq(webhooks.id, id));
  if (!row) throw new Error("no such row");
  return row;
}

test("an account has at most 100 webhooks on a network, however many it asks for at once", async () => {
  const ctx = await someone();
  const atOnce = (length: number) => Promise.allSettled(Array.from({ length }, () => createWebhook(ctx, INPUT)));
  for (let created = 0; created < MOST_WEBHOOKS - 10; created += 10) await atOnce(10);
  const refused = (await atOnce(15)).filter((one) => one.status === "rejected");
  expect(refused).toHaveLength(5);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: "invalid_request" });
  const all = await listWebhooks(ctx);
  expect(all).toHaveLength(MOST_WEBHOOKS);
  await createWebhook(live(ctx), INPUT);
  await deleteWebhook(ctx, all[0]?.id ?? "");
  await createWebhook(ctx, INPUT);
});

test("a secret is stored encrypted; a rotation keeps one earlier secret, for 24 hours", async () => {
  const ctx = await someone();
  const { webhook, secret } = await createWebhook(ctx, INPUT);
  const { id } = webhook;
  const first = await stored(id);
  expect(JSON.stringify(first)).not.toContain(Buffer.from(secret).toString("hex"));
  expect(decryptSecret(id, first.secret ?? "0x")).toBe(secret);
  expect(first.previousSecret).toBeNull();
  const at = new Date();
  const second = await rotateWebhookSecret(ctx, id, undefined, at);
  const third = await rotateWebhookSecret(ctx, id, undefined, at);
  const row = await stored(id);
  expect(decryptSecret(id, row.secret ?? "0x")).toBe(third.secret);
  expect(decryptSecret(id, row.previousSecret ?? "0x")).toBe(second.secret);
  expect(row.previousUntil).toEqual(new Date(at.getTime() + 86_400_000));
});

test("the audit log shows who did what to a webhook, and no secret", async () => {
  const ctx = await someone();
  const { webhook, secret } = await createWebhook(ctx, INPUT);
  const { id } = webhook;
  const rotated = await rotateWebhookSecret(ctx, id);
  await updateWebhook(ctx, id, { enabled: false });
  await updateWebhook(ctx, id, { enabled: false });
  await updateWebhook(ctx, id, {});
  await deleteWebhook(ctx, id);
  const entries = await db()
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.rootId, ctx.account.rootId), eq(auditLog.target, id)))
    .orderBy(asc(auditLog.position));
  expect(entries.map(({ action, actorType, actorId }) => [action, actorType, actorId])).toEqual(
    ["created", "secret_rotated", "updated", "deleted"].map((verb) => [`webhook.${verb}`, "session", ctx.sessionId]),
  );
  expect(entries[0]?.after).toEqual({ ...INPUT, enabled: true, store_responses: true });
  expect([entries[2]?.before, entries[2]?.after]).toEqual([
    { ...INPUT, enabled: true, store_responses: true },
    { ...INPUT, enabled: false, store_responses: true },
  ]);
  const text = JSON.stringify(entries);
  for (const hidden of [secret, rotated.secret, "whsec_"]) expect(text).not.toContain(hidden);
});

test("a new address starts with a clean record; other changes keep what is known of the old one", async () => {
  const ctx = await someone();
  const { webhook } = await createWebhook(ctx, INPUT);
  const { id } = webhook;
  const record = { failingSince: new Date(), goneSince: new Date(), failures: 9, pausedUntil: new Date() };
  await db().update(webhooks).set(record).where(eq(webhooks.id, id));
  await updateWebhook(ctx, id, { url: INPUT.url, events: ["transfer.failed"] });
  expect(await stored(id)).toMatchObject(record);
  await updateWebhook(ctx, id, { url: "http://localhost:4000/new" });
  expect(await stored(id)).toMatchObject({ failingSince: null, goneSince: null, failures: 0, pausedUntil: null });
});

test("responses are stored on the test network, and on the live network only if the owner says so", async () => {
  const ctx = await someone();
  const stores = async (as: SessionContext, input = {}) =>
    (await createWebhook(as, { ...INPUT, url: "https://example.com/hook", ...input })).webhook.storeResponses;
  expect(await stores(ctx)).toBe(true);
  expect(await stores(ctx, { store_responses: false })).toBe(false);
  expect(await stores(live(ctx))).toBe(false);
  expect(await stores(live(ctx), { store_responses: true })).toBe(true);
});

test("webhooks of the other network are unknown, and an agent has none", async () => {
  const ctx = await someone();
  const { webhook } = await createWebhook(ctx, INPUT);
  const { id } = webhook;
  const verbs = (as: SessionContext) => [
    () => updateWebhook(as, id, { enabled: false }),
    () => rotateWebhookSecret(as, id),
    () => listDeliveries(as, id, ListDeliveriesQuery.parse({})),
    () => deleteWebhook(as, id),
  ];
  for (const verb of verbs(live(ctx))) await expect(verb()).rejects.toMatchObject({ code: "not_found" });
  expect(await listWebhooks(live(ctx))).toEqual([]);
  const agent: SessionContext = { ...ctx, account: { ...ctx.account, id: newId("account"), type: "agent" } };
  for (const verb of [...verbs(agent), () => createWebhook(agent, INPUT), () => listWebhooks(agent)]) {
    await expect(verb()).rejects.toMatchObject({ code: "key_forbidden" });
  }
  expect(await listWebhooks(ctx)).toMatchObject([{ id, enabled: true }]);
});

test("what did not commit leaves no webhook, no secret and no entry", async () => {
  const ctx = await someone();
  const { webhook } = await createWebhook(ctx, INPUT);
  const before = await stored(webhook.id);
  const fail = () => Promise.reject(new Error("taken over"));
  await expect(createWebhook(ctx, INPUT, fail)).rejects.toThrow("taken over");
  await expect(rotateWebhookSecret(ctx, webhook.id, fail)).rejects.toThrow("taken over");
  expect(await listWebhooks(ctx)).toEqual([before]);
  expect(await db().$count(auditLog, eq(auditLog.rootId, ctx.account.rootId))).toBe(1);
});

test("a page of deliveries reads few blocks, however many there are and whatever their status", async () => {
  const ctx = await someone();
  const { webhook } = await createWebhook(ctx, INPUT);
  // As the owner, whose statements have no time limit.
  await asOwner(async (owner) => {
    await owner`
      insert into webhook_deliveries (id, webhook_id, event_id, event, url, trigger, status, attempt, due_at,
        exhausted_at, created_at)
      select 'dlv_' || lpad(n::text, 26, '0'), ${webhook.id}, 'evt_' || n, 'transfer.confirmed', 'u', 'automatic',
        case when n = 7 then 'exhausted' when n = 8 then 'failed' when n = 9 then 'pending' else 'succeeded' end, 1,
        now(), case when n = 7 then now() end, now()
      from generate_series(1, 100000) n`;
    await owner`
      insert into webhook_queue (delivery_id, webhook_id, event_id, trigger, due_at, created_at)
      select id, webhook_id, event_id, trigger, due_at, created_at from webhook_deliveries
      where status in ('failed', 'pending')`;
    await owner`vacuum analyze webhook_deliveries`;
  });
  for (const [status, expected] of [
    [undefined, 20],
    ["succeeded", 20],
    ["exhausted", 1],
    ["failed", 1],
    ["pending", 1],
  ] as const) {
    const query = ListDeliveriesQuery.parse(status ? { status } : {});
    const page = await listDeliveries(ctx, webhook.id, query);
    expect(page.deliveries, status).toHaveLength(expected);
    expect(page.hasMore, status).toBe(expected === 20);
    const statement = pageOfDeliveries(webhook.id, query).getSQL();
    const [plan] = await db().execute<{
      "QUERY PLAN": [{ Plan: { "Shared Hit Blocks": number; "Shared Read Blocks": number } }];
    }>(sql`explain (analyze, buffers, format json) ${statement}`);
    const top = plan?.["QUERY PLAN"][0].Plan;
    expect((top?.["Shared Hit Blocks"] ?? 1e9) + (top?.["Shared Read Blocks"] ?? 1e9), status).toBeLessThan(50);
  }
});
