import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { heldPayments } from "@/db/schema/agents";
import { auditLog } from "@/db/schema/audit";
import { events } from "@/db/schema/events";
import { apiKeys } from "@/db/schema/keys";
import { webhookDeliveries, webhookQueue, webhooks } from "@/db/schema/webhooks";
import type { Context } from "@/lib/base/context/context";
import { chainEnv } from "@/lib/chain/clients";
import { createWebhook } from "@/lib/events/webhooks/create-webhook";
import { enqueueTest } from "@/lib/events/webhooks/enqueue-test";
import { closeExpired } from "@/lib/payments/approvals/close-expired";
import { reject } from "@/lib/payments/approvals/reject";
import { Owner } from "@/test/accounts/owner";
import { holdPayments } from "@/test/accounts/waiting-payments";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { advanceClock } from "./advance-clock";
import { expireHeld } from "./expire-held";
import { failingRecipient } from "./failing-recipient";

const CHAIN = 46630;
const HOUR = 3_600_000;
let services: SharedServices;
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());

const helpers = (id: string): [name: string, call: (ctx: Context) => Promise<unknown>][] => [
  ["a clock", (ctx) => advanceClock(ctx, { seconds: 1 })],
  ["a payment that expires", (ctx) => expireHeld(ctx, id)],
  ["a recipient that fails", (ctx) => failingRecipient(ctx)],
];
const statusOf = async (id: string) =>
  (await db().select().from(heldPayments).where(eq(heldPayments.id, id)))[0]?.status;
const typesOf = async ({ account }: Owner) =>
  (await db().select().from(events).where(eq(events.rootId, account.id))).map(({ type }) => type);

test("every test helper is not_found where the chain is not local, and changes nothing", async () => {
  const owner = await Owner.create(CHAIN);
  const [id = ""] = await holdPayments(owner, [HOUR]);
  const chain = chainEnv(CHAIN);
  chain.local = false;
  try {
    for (const [name, call] of helpers(id)) {
      await expect(call(owner.session), name).rejects.toMatchObject({ code: "not_found" });
    }
  } finally {
    chain.local = true;
  }
  expect(await statusOf(id)).toBe("pending_approval");
  expect(await typesOf(owner)).toEqual([]);
});

test("no test helper reaches another account, and an agent's key none at all", async () => {
  const [owner, stranger] = [await Owner.create(CHAIN), await Owner.create(CHAIN)];
  const [id = ""] = await holdPayments(owner, [HOUR]);
  await expect(expireHeld(stranger.session, id)).rejects.toMatchObject({ code: "transaction_not_found" });
  expect(await advanceClock(stranger.session, { seconds: 86_400 })).toMatchObject({ approvals: 0 });
  const agent = { ...owner.session, account: { ...owner.account, type: "agent" as const } };
  for (const [name, call] of helpers(id)) {
    await expect(call(agent), name).rejects.toMatchObject({ code: "not_agent_owner" });
  }
  expect(await statusOf(id)).toBe("pending_approval");
});

test("a payment that is made to expire is closed once, and decided no more", async () => {
  const owner = await Owner.create(CHAIN);
  const [id = ""] = await holdPayments(owner, [HOUR]);
  const closed = await Promise.allSettled([expireHeld(owner.session, id), expireHeld(owner.session, id)]);
  expect(closed.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  await closeExpired();
  expect(await typesOf(owner)).toEqual(["agent.transaction.expired"]);
  await expect(reject(owner.session, id)).rejects.toMatchObject({ code: "transaction_expired" });
});

test("an advanced clock brings what waits closer, for every process alike, and is in the audit log", async () => {
  const owner = await Owner.create(CHAIN);
  const [soon = "", late = ""] = await holdPayments(owner, [HOUR, 3 * HOUR]);
  const { keyId } = await owner.key();
  const until = new Date(Date.now() + 2 * HOUR);
  await db().update(apiKeys).set({ expiresAt: until }).where(eq(apiKeys.id, keyId));
  const input = { url: "http://localhost:4000/hook", events: ["transfer.confirmed" as const] };
  const { webhook } = await createWebhook(owner.session, input);
  const { id } = await enqueueTest(owner.session, webhook.id, {});
  const dueAt = new Date(Date.now() + HOUR);
  await db().update(webhookQueue).set({ dueAt }).where(eq(webhookQueue.deliveryId, id));
  await db().update(webhookDeliveries).set({ dueAt }).where(eq(webhookDeliveries.id, id));
  await db().update(webhooks).set({ failingSince: dueAt, pausedUntil: dueAt }).where(eq(webhooks.id, webhook.id));
  const seconds = 7_200;
  expect(await advanceClock(owner.session, { seconds })).toEqual({ seconds, approvals: 2, deliveries: 1, keys: 1 });
  await closeExpired();
  expect([await statusOf(soon), await statusOf(late)]).toEqual(["expired", "pending_approval"]);
  const earlier = (time: Date) => new Date(time.getTime() - seconds * 1_000);
  const [key] = await db().select().from(apiKeys).where(eq(apiKeys.id, keyId));
  expect(key?.expiresAt).toEqual(earlier(until));
  const [queued] = await db().select().from(webhookQueue).where(eq(webhookQueue.deliveryId, id));
  const [delivery] = await db().select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id));
  expect([queued?.dueAt, delivery?.dueAt]).toEqual([earlier(dueAt), earlier(dueAt)]);
  const [endpoint] = await db().select().from(webhooks).where(eq(webhooks.id, webhook.id));
  expect([endpoint?.failingSince, endpoint?.pausedUntil]).toEqual([earlier(dueAt), earlier(dueAt)]);
  const log = await db().select().from(auditLog).where(eq(auditLog.target, owner.account.id));
  expect(log.map(({ action, after }) => [action, after])).toEqual([["test.clock_advanced", { seconds }]]);
});
