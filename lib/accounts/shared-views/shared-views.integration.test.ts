import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { auditLog } from "@/db/schema/audit";
import { sharedViews } from "@/db/schema/shared-views";
import type { SessionContext } from "@/lib/base/context/context";
import { cleanUp } from "@/lib/worker/clean-up";
import { Owner } from "@/test/accounts/owner";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { createSharedView, MOST_SHARED_VIEWS } from "./create-shared-view";
import { deleteSharedView } from "./delete-shared-view";
import { listSharedViews } from "./list-shared-views";
import { readSharedView } from "./read-shared-view";
import { CreateSharedViewInput } from "./schema";

let services: SharedServices;
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());

const NOW = new Date("2026-11-23T12:00:00Z");
const later = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
const encrypted = Buffer.alloc(100, 7).toString("base64");
const textOf = async (id: string, now: Date) => JSON.parse(String(await readSharedView(id, now)));
const input = (minutes = 60) =>
  CreateSharedViewInput.parse({ label: "Accountant", expires_at: later(minutes).toISOString(), encrypted });

test("anyone with its id gets the ciphertext until it expires; the first time is remembered, then it is deleted", async () => {
  const { session } = await Owner.create(46630);
  const { id } = await createSharedView(session, input(), NOW);
  expect(await listSharedViews(session, NOW)).toMatchObject([{ id, openedAt: null }]);
  for (const minutes of [1, 2]) {
    const text = { shared_view_id: id, network: "test", expires_at: later(60).toISOString(), encrypted };
    expect(await textOf(id, later(minutes))).toEqual(text);
  }
  expect(await listSharedViews(session, NOW)).toMatchObject([{ id, openedAt: later(1) }]);
  await expect(readSharedView(id, later(60))).rejects.toMatchObject({ code: "not_found" });
  expect(await listSharedViews(session, later(60))).toEqual([]);
  await cleanUp(later(59));
  expect(await db().select({ id: sharedViews.id }).from(sharedViews).where(eq(sharedViews.id, id))).toHaveLength(1);
  await cleanUp(later(61));
  expect(await db().select({ id: sharedViews.id }).from(sharedViews).where(eq(sharedViews.id, id))).toEqual([]);
});

test("another account and the other network neither see nor delete a view; unknown and deleted ones read the same", async () => {
  const [owner, stranger] = [await Owner.create(46630), await Owner.create(46630)];
  const { id } = await createSharedView(owner.session, input(), NOW);
  const live: SessionContext = { ...owner.session, network: "live", chainId: 4663 };
  for (const other of [stranger.session, live]) {
    expect(await listSharedViews(other, NOW)).toEqual([]);
    await expect(deleteSharedView(other, id)).rejects.toMatchObject({ code: "not_found" });
  }
  await deleteSharedView(owner.session, id, NOW);
  const failures = await Promise.all(
    [id, "view_01KADJ2C9B3T6Y0V8ZQ4N5M7WX", "x"].map((each) => readSharedView(each, NOW).catch((error) => error)),
  );
  expect(new Set(failures.map(({ code, publicMessage }) => `${code} ${publicMessage}`)).size).toBe(1);
  const entries = await db()
    .select()
    .from(auditLog)
    .where(eq(auditLog.rootId, owner.account.id))
    .orderBy(asc(auditLog.position));
  expect(entries.map(({ action, target }) => [action, target])).toEqual([
    ["sharedView.created", id],
    ["sharedView.deleted", id],
  ]);
  expect(JSON.stringify(entries)).not.toContain("07".repeat(8));
});

test("all who read a view get the same bytes, which end with it", async () => {
  const { session } = await Owner.create(46630);
  const { id } = await createSharedView(session, input(), NOW);
  const [one, two] = await Promise.all([readSharedView(id, NOW), readSharedView(id, NOW)]);
  expect(one).toBe(two);
  expect(await readSharedView(id, NOW)).toBe(one);
  await deleteSharedView(session, id, NOW);
  await expect(readSharedView(id, NOW)).rejects.toMatchObject({ code: "not_found" });
});

test("an account shares so many at most, however many at once; expired ones make room", async () => {
  const { session } = await Owner.create(46630);
  const sent = Array.from({ length: MOST_SHARED_VIEWS + 3 }, () => createSharedView(session, input(), NOW));
  const refused = (await Promise.allSettled(sent)).filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(3);
  await createSharedView(session, input(120), later(61));
});

test("refused: no label, no base64, a part of a second, too large, past, too far", async () => {
  const { session } = await Owner.create(46630);
  const body = { label: "x", expires_at: later(60).toISOString(), encrypted };
  for (const change of [
    { label: " " },
    { encrypted: "***" },
    { encrypted: "A".repeat(2_000_000) },
    { expires_at: "2026-11-23T13:00:00.001Z" },
    { amount: "1" },
  ]) {
    expect(CreateSharedViewInput.safeParse({ ...body, ...change }).success).toBe(false);
  }
  for (const minutes of [0, 367 * 1_440]) {
    await expect(createSharedView(session, input(minutes), NOW)).rejects.toMatchObject({ param: "expires_at" });
  }
});
