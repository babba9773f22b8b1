import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { apiKeys } from "@/db/schema/keys";
import { scheduleRuns } from "@/db/schema/schedules";
import { listExpiringKeys } from "@/lib/accounts/keys/list-expiring-keys";
import type { SessionContext } from "@/lib/base/context/context";
import { newId } from "@/lib/base/ids";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { countRuns } from "@/lib/payments/schedules/count-runs";
import { insertTransfer, oneOfEach } from "@/test/accounts/one-of-each";
import { Owner } from "@/test/accounts/owner";
import { putNew, termsOf } from "@/test/accounts/schedule-terms";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { listCounterparties } from "./list-counterparties";
import { SearchQuery } from "./schema";
import { searchPayments } from "./search";

const CHAIN = 46630;
const REFERENCE = "INV-1042";
let services: SharedServices;
let alice: Owner;
let bob: Owner;

beforeAll(async () => {
  services = await startSharedServices();
  [alice, bob] = await Promise.all([Owner.create(CHAIN), Owner.create(CHAIN)]);
});
afterAll(() => services.stop());

const paysBob = () => ({
  recipientId: bob.account.id,
  recipientRootId: bob.account.id,
  recipientAddress: bob.account.address,
  to: `@${bob.account.handle}`,
});

test("each id is found by its owner; to others and on the other network it is unknown, as one that no one has", async () => {
  const mine = await oneOfEach(alice, { ...paysBob(), reference: REFERENCE });
  const elsewhere: SessionContext = { ...alice.session, chainId: 4663, network: "live" };
  for (const [type, id] of Object.entries(mine)) {
    const found = await searchPayments(alice.session, SearchQuery.parse({ id }));
    expect(found, type).toMatchObject([{ type, id }]);
    // Both sides of a transfer may see it.
    const strangers = type === "transfer" ? [elsewhere] : [bob.session, elsewhere];
    for (const ctx of strangers) expect(await searchPayments(ctx, SearchQuery.parse({ id })), type).toEqual([]);
  }
  for (const kind of ["transfer", "account", "transaction", "webhook", "delivery", "operation", "audit"] as const) {
    expect(await searchPayments(alice.session, { id: newId(kind) }), kind).toEqual([]);
  }

  const named = await searchPayments(alice.session, SearchQuery.parse({ reference: REFERENCE }));
  expect(named.map(({ type }) => type)).toEqual(["held_payment", "transfer", "payment_request"]);
  // The recipient finds the transfer by its reference, but not the payer's payment requests and waiting payments.
  expect((await searchPayments(bob.session, { reference: REFERENCE })).map(({ type }) => type)).toEqual(["transfer"]);
  expect(await searchPayments(elsewhere, { reference: REFERENCE })).toEqual([]);
});

test("an access token of a connection is no key that is found or that expires soon", async () => {
  const { keyId } = await alice.key();
  const soon = new Date(Date.now() + 3_600_000);
  await db().update(apiKeys).set({ audience: "http://localhost/mcp/test" }).where(eq(apiKeys.id, keyId));
  expect(await searchPayments(alice.session, { id: keyId })).toEqual([]);
  expect(await listExpiringKeys(alice.session, soon)).toEqual([]);
});

test("a query is a complete id or a reference: a part of an id, a memo's words or both are refused", () => {
  const id = newId("transfer");
  for (const query of [{}, { id: id.slice(0, -1) }, { id: "rent" }, { id, reference: "INV-1" }, { q: "12.50" }]) {
    expect(SearchQuery.safeParse(query).success, JSON.stringify(query)).toBe(false);
  }
});

test("people are those of the newest transfers in both directions, once each; agents of one's own are not", async () => {
  const [payer, friend] = await Promise.all([Owner.create(CHAIN), Owner.create(CHAIN)]);
  const bot = newId("account");
  const own = { type: "agent" as const, ownerId: payer.account.id, chainId: CHAIN, createdAt: new Date() };
  const place = toHex(randomBytes(20));
  await db()
    .insert(accounts)
    .values({ id: bot, handle: `${payer.account.handle}/bot`, address: place, ...own });
  const at = (second: number) => ({ createdAt: new Date(Date.UTC(2026, 10, 1, 0, 0, second)) });
  const bare = toHex(randomBytes(20));
  await insertTransfer(payer, { ...paysBob(), ...at(1) });
  await insertTransfer(payer, { ...paysBob(), ...at(2) });
  await insertTransfer(payer, { recipientAddress: bare, to: bare, ...at(3) });
  await insertTransfer(payer, {
    recipientId: bot,
    recipientRootId: payer.account.id,
    recipientAddress: place,
    ...at(4),
  });
  const mine = { recipientId: payer.account.id, recipientRootId: payer.account.id };
  await insertTransfer(friend, { ...mine, recipientAddress: payer.account.address, ...at(5) });
  const people = (await listCounterparties(payer.session)).map(({ handle, address }) => handle ?? address);
  expect(people).toEqual([`@${friend.account.handle}`, bare, `@${bob.account.handle}`]);
  expect(await listCounterparties({ ...payer.session, chainId: 4663, network: "live" })).toEqual([]);
});

test("runs that are due, and those missed since a time, are the account's own", async () => {
  const before = new Date("2026-01-01T00:00:00Z");
  const [owner, other] = await Promise.all([Owner.create(CHAIN), Owner.create(CHAIN)]);
  const daily = { frequency: "daily", start: "2027-01-01", time: "09:00", time_zone: "UTC" } as const;
  const [due, missed] = [
    await putNew(owner, termsOf(daily, bob), new Date("2026-12-31T00:00:00Z")),
    await putNew(owner, termsOf(daily, bob), new Date("2026-12-31T00:00:00Z")),
  ];
  await db().update(scheduleRuns).set({ status: "due" }).where(eq(scheduleRuns.scheduleId, due));
  await db().update(scheduleRuns).set({ status: "missed" }).where(eq(scheduleRuns.scheduleId, missed));
  expect(await countRuns(owner.session, before)).toEqual({ due: 1, missed: 1 });
  expect(await countRuns(owner.session, new Date("2028-01-01T00:00:00Z"))).toEqual({ due: 1, missed: 0 });
  expect(await countRuns(other.session, before)).toEqual({ due: 0, missed: 0 });
});
