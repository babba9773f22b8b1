import { and, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { heldPayments } from "@/db/schema/agents";
import { events } from "@/db/schema/events";
import { Owner } from "@/test/accounts/owner";
import { holdPayments } from "@/test/accounts/waiting-payments";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { closeExpired } from "./close-expired";
import { reject } from "./reject";

const CHAIN = 46630;
let services: SharedServices;
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());

/** Returns the types of the owner's events, by payment. */
async function announced(owner: Owner): Promise<Record<string, string[]>> {
  const rows = await db().select().from(events).where(eq(events.rootId, owner.account.id));
  const byPayment: Record<string, string[]> = {};
  for (const { type, payload } of rows) {
    const id = String(payload.transaction_id);
    byPayment[id] = [...(byPayment[id] ?? []), type];
  }
  return byPayment;
}

test("payments that expire are announced once each, however many workers close them", async () => {
  const owner = await Owner.create(CHAIN);
  const ids = await holdPayments(owner, [...Array(20).fill(-1), 3_600_000]);
  await Promise.all([closeExpired(), closeExpired(), closeExpired(), closeExpired()]);
  await closeExpired();
  const expected = ids.slice(0, 20).map((id) => [id, ["agent.transaction.expired"]]);
  expect(await announced(owner)).toEqual(Object.fromEntries(expected));
  const [row] = await db().select().from(events).where(eq(events.rootId, owner.account.id));
  expect(row?.payload).toEqual({
    event: "agent.transaction.expired",
    event_id: row?.id,
    account: `@${owner.account.handle}/bot`,
    transaction_id: expect.stringMatching(/^txn_/),
    agent: `@${owner.account.handle}/bot`,
    to: "@bob",
    requested_at: expect.stringMatching(/Z$/),
    expires_at: expect.stringMatching(/Z$/),
    timestamp: expect.stringMatching(/Z$/),
  });
});

test("of a decision and the end of the window at the same moment one is announced, the one that is stored", async () => {
  const owner = await Owner.create(CHAIN);
  const ids = await holdPayments(
    owner,
    Array.from({ length: 12 }, (_, i) => i * 20),
  );
  const decide = async (id: string) => reject(owner.session, id).catch(() => undefined);
  const pending = and(inArray(heldPayments.id, ids), eq(heldPayments.status, "pending_approval"));
  while ((await db().$count(heldPayments, pending)) > 0) {
    await Promise.all([closeExpired(), ...ids.map(decide), closeExpired()]);
  }
  const rows = await db().select().from(heldPayments).where(inArray(heldPayments.id, ids));
  const stored = rows.map(({ id, status }) => [id, [`agent.transaction.${status}`]]);
  expect(await announced(owner)).toEqual(Object.fromEntries(stored));
});
