import { randomBytes } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { db } from "@/db/client";
import { accounts, ledgerAccounts, paymentKeyWarnings } from "@/db/schema/accounts";
import { events } from "@/db/schema/events";
import { webhookDeliveries } from "@/db/schema/webhooks";
import { newId } from "@/lib/base/ids";
import { EVENTS } from "@/lib/events/payloads";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { asOwner } from "@/test/services/as-owner";
import { startSharedServices } from "@/test/services/shared-services";
import { makeEndpoint } from "@/test/webhooks/endpoint";
import { warnOfExpiry } from "./warn-of-expiry";

const CHAINS = [46630, 4663] as const;
const SECOND = 1_000;
const DAY = 86_400 * SECOND;
const END = new Date("2027-11-20T12:00:00.000Z");
const at = (before: number) => new Date(END.getTime() - before);

let services: { stop(): Promise<void> };
let handle: string;
let accountId: string;
let address: `0x${string}`;

beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services?.stop());

beforeEach(async () => {
  for (const table of [ledgerAccounts, paymentKeyWarnings]) await db().delete(table);
  [handle, accountId, address] = [`h${toHex(randomBytes(6)).slice(2)}`, newId("account"), commitment(20)];
  await db()
    .insert(accounts)
    .values({ id: accountId, handle, address, type: "personal", createdAt: at(300 * DAY) });
});

const commitment = (bytes: number) => toHex(randomBytes(bytes));
const unix = (time: Date) => BigInt(time.getTime() / SECOND);

/** What the index says of an address on the first network: a payment key that ends at `END`. */
async function record(values: Partial<typeof ledgerAccounts.$inferInsert> = {}): Promise<void> {
  const usual = { chainId: CHAINS[0], address, viewingKey: commitment(32), signer: commitment(20), enrolledBlock: 1n };
  await db()
    .insert(ledgerAccounts)
    .values({ ...usual, until: unix(END), ...values });
}

/** The warnings the account got, oldest first. */
async function announced(): Promise<unknown[][]> {
  const rows = await db()
    .select()
    .from(events)
    .where(eq(events.rootId, accountId))
    .orderBy(asc(events.createdAt), asc(events.chainId));
  return rows.map(({ type, payload }) => {
    const parsed = EVENTS[type as "account.payment_key.expiring" | "account.payment_key.expired"]
      .strict()
      .parse(payload);
    return [parsed.event, "days_left" in parsed ? parsed.days_left : 0];
  });
}

const EXPIRING = "account.payment_key.expiring";

test("a payment key's end is announced 30 days, 7 days and 1 day before and when it has come, each once", async () => {
  await record();
  const times = [30 * DAY + SECOND, 30 * DAY, 30 * DAY - SECOND, 8 * DAY, 7 * DAY + SECOND];
  for (const time of times) await warnOfExpiry(at(time));
  expect(await announced()).toEqual([[EXPIRING, 30]]);
  for (const time of [7 * DAY, 7 * DAY - 1, 2 * DAY, DAY, SECOND, 1]) await warnOfExpiry(at(time));
  for (const time of [0, -SECOND, -29 * DAY, -31 * DAY, -400 * DAY]) await warnOfExpiry(at(time));
  expect(await announced()).toEqual([
    [EXPIRING, 30],
    [EXPIRING, 7],
    [EXPIRING, 1],
    ["account.payment_key.expired", 0],
  ]);
});

test("the events go to webhooks, name the account and its end, and hold nothing else", async () => {
  await record();
  const endpoint = await makeEndpoint("https://example.com/hook", { rootId: accountId });
  await warnOfExpiry(at(30 * DAY));
  await warnOfExpiry(at(-SECOND));
  const rows = await db().select().from(events).where(eq(events.rootId, accountId)).orderBy(asc(events.createdAt));
  const [expiring, expired] = rows.map(({ payload }) => payload);
  const common = { account: `@${handle}`, event_id: expect.stringMatching(/^evt_/) };
  const [first, last] = ["2027-10-21T12:00:00.000Z", "2027-11-20T12:00:01.000Z"];
  const expires_at = END.toISOString();
  expect(expiring).toEqual({ ...common, event: EXPIRING, expires_at, days_left: 30, timestamp: first });
  expect(expired).toEqual({
    ...common,
    event: "account.payment_key.expired",
    expired_at: expires_at,
    timestamp: last,
  });
  const queued = db().select().from(webhookDeliveries).where(eq(webhookDeliveries.webhookId, endpoint.id));
  expect((await queued).map(({ eventId }) => eventId).sort()).toEqual(rows.map(({ id }) => id).sort());
});

test("workers side by side, later runs and a rebuilt index announce it once; more than one batch is announced too", async () => {
  const many = Array.from({ length: 150 }, () => ({ id: newId("account"), address: commitment(20) }));
  await db()
    .insert(accounts)
    .values(many.map((one, n) => ({ ...one, handle: `${handle}${n}`, type: "business" as const, createdAt: at(0) })));
  for (const one of many) await record({ address: one.address });
  const mine = async () => {
    const rows = await db().select().from(events).where(eq(events.type, EXPIRING));
    const ids = new Set<string>(many.map(({ id }) => id));
    return rows.filter(({ accountId: id }) => ids.has(id));
  };
  const run = async () => {
    while ((await warnOfExpiry(at(7 * DAY))) === 0);
  };
  await Promise.all([run(), run(), run(), run()]);
  expect(await mine()).toHaveLength(150);
  const index = await db().select().from(ledgerAccounts);
  await db().delete(ledgerAccounts);
  await db().insert(ledgerAccounts).values(index);
  await run();
  const announced = await mine();
  expect(announced).toHaveLength(150);
  expect(new Set(announced.map(({ accountId: id }) => id)).size).toBe(150);
});

test("a step that could not be written is announced later; of several missed steps only the last", async () => {
  await record();
  await asOwner((sql) => sql`alter table events add constraint is_full check (type not like 'account.%') not valid`);
  await expect(warnOfExpiry(at(30 * DAY))).rejects.toThrow();
  await asOwner((sql) => sql`alter table events drop constraint is_full`);
  expect([await announced(), await db().$count(paymentKeyWarnings)]).toEqual([[], 0]);
  await warnOfExpiry(at(5 * DAY));
  await warnOfExpiry(at(4 * DAY));
  expect(await announced()).toEqual([[EXPIRING, 5]]);
});

test("each network has its own end, and a renewal begins again", async () => {
  await record();
  await record({ chainId: CHAINS[1] });
  await warnOfExpiry(at(6 * DAY));
  expect(await announced()).toEqual([
    [EXPIRING, 6],
    [EXPIRING, 6],
  ]);
  const renewed = new Date(END.getTime() + 365 * DAY);
  await db()
    .update(ledgerAccounts)
    .set({ until: unix(renewed) })
    .where(eq(ledgerAccounts.chainId, CHAINS[0]));
  await db().delete(ledgerAccounts).where(eq(ledgerAccounts.chainId, CHAINS[1]));
  await warnOfExpiry(at(0));
  expect(await announced()).toHaveLength(2);
  await warnOfExpiry(new Date(renewed.getTime() - 20 * DAY));
  expect((await announced()).slice(2)).toEqual([[EXPIRING, 20]]);
});

test("agents, strangers, wallets whose enrollment is not final, and ended payment keys get no warnings", async () => {
  const agent = { id: newId("account"), handle: `${handle}/bot`, address: commitment(20), createdAt: at(0) };
  await db()
    .insert(accounts)
    .values({ ...agent, type: "agent", ownerId: accountId, chainId: CHAINS[0] });
  await record({ address: agent.address });
  await record({ owner: commitment(20) });
  await record({ address: commitment(20) });
  await record({ chainId: CHAINS[1], signer: `0x${"0".repeat(40)}` });
  for (const time of [30 * DAY, DAY, 0]) await warnOfExpiry(at(time));
  await db().update(ledgerAccounts).set({ owner: null, enrolledBlock: null });
  await warnOfExpiry(at(0));
  expect(await announced()).toEqual([]);
  expect(await db().$count(paymentKeyWarnings)).toBe(0);
});
