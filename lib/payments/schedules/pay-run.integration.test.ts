// First, so that what is loaded after it can die.
import "@/test/chain/dying";

import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { db, type Tx } from "@/db/client";
import { accountNetworks } from "@/db/schema/accounts";
import { events } from "@/db/schema/events";
import { notes } from "@/db/schema/ledger";
import { scheduleRuns, schedules } from "@/db/schema/schedules";
import { rebuiltPayments, transfers } from "@/db/schema/transfers";
import { readLedger } from "@/lib/balances/read-ledger";
import type { KeyContext } from "@/lib/base/context/context";
import type { Id } from "@/lib/base/ids";
import { chainEnv } from "@/lib/chain/clients";
import { batchPaymentSeed } from "@/lib/ledger/crypto/batch-payment-seed";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { derivePaymentKey } from "@/lib/ledger/crypto/keys";
import { tagVoucher, tagVoucherKey } from "@/lib/ledger/crypto/request-tag";
import { runMarks } from "@/lib/ledger/crypto/run-marks";
import { decryptSchedule } from "@/lib/ledger/encrypted/schedule";
import { planTransfer } from "@/lib/ledger/prepare/plan-transfer";
import { handOverTags } from "@/lib/payments/after-restore/hand-over-tags";
import { listWantedTags } from "@/lib/payments/after-restore/list-wanted-tags";
import { lostIdempotencyKeys } from "@/lib/payments/after-restore/lost-idempotency-keys";
import { createTransfer } from "@/lib/payments/create-transfer";
import { advanceRun } from "@/lib/payments/schedules/runs/advance-run";
import { readTerms } from "@/lib/policy/calendar/document";
import { cleanUp } from "@/lib/worker/clean-up";
import { payRun as payByClient } from "@/sdk/payments/schedules/pay-run";
import { Owner, settled } from "@/test/accounts/owner";
import { complete, requestOf } from "@/test/accounts/prepare-spend";
import { bodyOf, termsOf } from "@/test/accounts/schedule-terms";
import { crash } from "@/test/chain/crash";
import { clientOf } from "@/test/services/in-process-service";
import { type LocalServices, startLocalServices } from "@/test/services/local-services";
import { passTime } from "@/test/services/pass-time";
import { withWorker } from "@/test/services/with-worker";
import { changeSchedule, skipDate } from "./change-schedule";
import { createSchedule } from "./create-schedule";
import { getSchedule } from "./list-schedules";
import { payRun } from "./pay-run";
import { storeEncrypted } from "./store-encrypted";

const CHAIN = 46630;
const DAY = 86_400_000;
const AT_ONCE = { late: false };
let services: LocalServices;
let owner: Owner;
let keys: [KeyContext, KeyContext];
let bob: Owner;
let carol: Owner;
let mallory: Owner;

beforeAll(async () => {
  services = await startLocalServices();
  await withWorker(async () => {
    [owner, mallory] = await Promise.all([Owner.funded(CHAIN, 500_000_000n), Owner.funded(CHAIN, 50_000_000n)]);
    [bob, carol] = [await Owner.create(CHAIN), await Owner.create(CHAIN)];
    await settled(await bob.enroll(), await carol.enroll());
  });
  keys = [await owner.key(), await owner.key()];
});
afterAll(() => services?.stop());
beforeEach(() => {
  crash.beforeBroadcast = false;
});

const nameOf = (one: Owner) => `@${one.account.handle}`;
const amountsOf = async (one: Owner) => (await one.openNotes()).map(({ amount }) => amount);
const today = () => new Date().toISOString().slice(0, 10);
const rowsOf = (id: string) =>
  db().select().from(scheduleRuns).where(eq(scheduleRuns.scheduleId, id)).orderBy(scheduleRuns.date);

/** Creates a monthly schedule from some days ago, whose first run is due. */
async function dueSchedule(to: readonly Owner[], amount = "2", daysAgo = 1) {
  const created = new Date(Date.now() - (daysAgo + 1) * DAY);
  const start = new Date(Date.now() - daysAgo * DAY).toISOString().slice(0, 10);
  const payments = to.map((one) => ({ to: nameOf(one), amount }));
  const input = { rule: { frequency: "monthly", start } as const, payments, asset: "USDG" as const };
  const settings = { name: "", automatic: false, window_seconds: 3 * 86_400 };
  const { row } = await createSchedule(keys[0], { ...input, ...settings }, undefined, created);
  const [run] = await rowsOf(row.id);
  if (!run) throw new Error("a run is planned");
  await advanceRun(run.id);
  return { id: row.id, runId: run.id, date: run.date };
}

/** Waits until a run's payment is confirmed. */
async function confirmed(runId: string): Promise<void> {
  const [row] = await db().select().from(transfers).where(eq(transfers.scheduleRunId, runId));
  expect(await settled(row?.operationId ?? "")).toEqual(["confirmed"]);
}

const pay = (id: string, runId: string, key = keys[0], input: Parameters<typeof payRun>[3] = AT_ONCE) =>
  payRun(key, id, runId, input);

test("two runners with different keys and the owner's client pay a run once", async () => {
  const { id, runId, date } = await dueSchedule([bob]);
  const before = await amountsOf(bob);
  const [row] = await db().select().from(schedules).where(eq(schedules.id, id));
  // Acts as the owner's client: decrypts the schedule and signs by itself.
  const ref = { scope: owner.scope, account: owner.address, id, version: 1 };
  const part = readTerms(decryptSchedule(owner.secret, ref, fromHex(row?.encrypted ?? "0x"))).parts[0];
  const marks = runMarks(fromHex(part?.seed ?? "0x"), { ...ref, schedule: id, date });
  const request = await requestOf(owner, bob, 2_000_000n);
  const plan = { ...request, ...marks, policyVersion: 0n, recipientViewingKey: bob.viewing.publicKey };
  const document = await complete(await planTransfer(plan), derivePaymentKey(owner.authority, owner.scope).privateKey);
  const ofClient = {
    to: bob.address,
    asset: "USDG",
    confidential: true,
    client_signed: document,
    schedule_run: runId,
  } as const;
  const outcomes = await withWorker(async () => {
    const together = await Promise.allSettled([
      pay(id, runId),
      pay(id, runId, keys[1]),
      createTransfer(owner.session, ofClient),
      pay(id, runId, keys[1]),
    ]);
    const [transfer] = await db().select().from(transfers).where(eq(transfers.scheduleRunId, runId));
    expect(await settled(transfer?.operationId ?? "")).toEqual(["confirmed"]);
    // What was received is indexed a moment after it is confirmed.
    await expect.poll(async () => (await amountsOf(bob)).length).toBe(before.length + 1);
    return together;
  });
  expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBeGreaterThanOrEqual(3);
  expect(await db().select().from(transfers).where(eq(transfers.scheduleRunId, runId))).toHaveLength(1);
  expect((await amountsOf(bob)).length).toBe(before.length + 1);
  expect((await rowsOf(id)).map(({ status }) => status)).toEqual(["paid", "planned"]);
  const types = (await db().select().from(events)).filter(({ payload }) => payload.run_id === runId);
  expect(types.map(({ type }) => type).sort()).toEqual(["schedule.due", "schedule.run_paid"]);
  // Already paid: each call returns the same payment.
  expect((await pay(id, runId, keys[1])).transfers).toMatchObject([{ status: "confirmed", to: nameOf(bob) }]);
});

test("a run of several recipients is one proof, and a crash after it was recorded pays it once", async () => {
  const { id, runId } = await dueSchedule([bob, carol, bob], "1");
  const before = (await amountsOf(bob)).length;
  crash.beforeBroadcast = true;
  const paid = await pay(id, runId);
  crash.beforeBroadcast = false;
  expect(paid).toMatchObject({ run: { status: "paying" }, transfers: [{}, {}, {}] });
  expect((await pay(id, runId, keys[1])).transfers.map(({ id: one }) => one)).toEqual(
    paid.transfers.map(({ id: one }) => one),
  );
  const [row] = await db().select().from(transfers).where(eq(transfers.scheduleRunId, runId));
  await withWorker(async () => {
    expect(await settled(row?.operationId ?? "")).toEqual(["confirmed"]);
    await expect.poll(async () => (await amountsOf(bob)).length).toBe(before + 2);
  });
});

test("a database that says a paid run is due, and has forgotten its transfers, has it paid by no one", async () => {
  const { id, runId } = await dueSchedule([carol]);
  await withWorker(async () => {
    await pay(id, runId);
    await confirmed(runId);
  });
  const before = (await amountsOf(carol)).length;
  await db().update(transfers).set({ scheduleRunId: null }).where(eq(transfers.scheduleRunId, runId));
  await db().update(scheduleRuns).set({ status: "due", paidAt: null }).where(eq(scheduleRuns.id, runId));
  expect((await pay(id, runId, keys[1])).run.status).toBe("paid");
  expect((await amountsOf(carol)).length).toBe(before);
});

/** Sets when payments of the owner were last rebuilt, and until when the keys of requests are unknown. */
function rebuilt(rebuiltAt: Date | null, keysUnknownUntil: Date | null, at: Pick<Tx, "insert"> = db()) {
  const target = [accountNetworks.accountId, accountNetworks.chainId];
  const set = { rebuiltAt, keysUnknownUntil };
  return at
    .insert(accountNetworks)
    .values({ accountId: owner.account.id, chainId: CHAIN, ...set })
    .onConflictDoUpdate({ target, set });
}

/**
 * Has a run that was due some days ago paid under the second version of its schedule. Then a backup that has only the
 * first is restored, and the payment read back from the chain.
 *
 * @param made when the payment was made, if not now
 */
async function paidUnderLaterVersion(daysAgo: number, made?: (dueAt: Date) => Date) {
  const { id, runId, date } = await dueSchedule([carol], "2", daysAgo);
  const [earlier] = await db().select().from(schedules).where(eq(schedules.id, id));
  const changedAt = new Date(Date.now() - (daysAgo + 1) * DAY);
  await changeSchedule(keys[0], id, { payments: [{ to: nameOf(carol), amount: "3" }] }, changedAt);
  const [later] = await db().select().from(schedules).where(eq(schedules.id, id));
  const had = (await amountsOf(carol)).length;
  await withWorker(async () => {
    await pay(id, runId);
    await confirmed(runId);
    // What was received is indexed a moment after it is confirmed.
    await expect.poll(async () => (await amountsOf(carol)).length).toBeGreaterThan(had);
  });
  const [paid] = await db().select().from(transfers).where(eq(transfers.scheduleRunId, runId));
  const [run] = await rowsOf(id);
  if (!earlier || !later || !paid?.note || !run) throw new Error("a run was paid");
  expect(await amountsOf(carol)).toContain(3_000_000n);
  const paidAt = made?.(run.dueAt) ?? new Date();
  await db().update(transfers).set({ scheduleRunId: null }).where(eq(transfers.id, paid.id));
  await db().update(scheduleRuns).set({ status: "due", paidAt: null }).where(eq(scheduleRuns.id, runId));
  await db().update(schedules).set(earlier).where(eq(schedules.id, id));
  const of = { transferId: paid.id, chainId: CHAIN, rootId: owner.account.id, block: 1n, paidAt };
  await db().insert(rebuiltPayments).values(of);
  await rebuilt(new Date(), new Date(paidAt.getTime() + DAY));
  // The owner's client reads the tag from its own copy. It is the same for both versions.
  const ref = { scope: owner.scope, account: owner.address, id, version: 2 };
  const part = readTerms(decryptSchedule(owner.secret, ref, fromHex(later.encrypted ?? "0x"))).parts[0];
  const { tag } = runMarks(fromHex(part?.seed ?? "0x"), { ...ref, schedule: id, date });
  const payment = { payer: owner.address, asset: paid.asset, knownBy: paid.note, newCommitment: paid.newCommitment };
  const voucher = toHex(tagVoucher(tagVoucherKey(owner.secret, owner.scope), payment, tag));
  const transferId = paid.id as Id<"transfer">;
  const handOver = () => handOverTags(owner.session, { tags: [{ transfer_id: transferId, tag: toHex(tag), voucher }] });
  return { id, runId, transferId, handOver };
}

/** As if no backup had been restored. */
async function nothingRebuilt() {
  await db().delete(rebuiltPayments);
  await rebuilt(null, null);
}

test("a run that was paid under a later version than a restored backup's is not paid again by the earlier one", async () => {
  const { id, runId, handOver } = await paidUnderLaterVersion(1);
  const before = await amountsOf(carol);
  await expect(pay(id, runId, keys[1])).rejects.toMatchObject({ code: "sync_required" });
  await handOver();
  expect((await pay(id, runId, keys[1])).run.status).toBe("paid");
  expect(await amountsOf(carol)).toEqual(before);
  await nothingRebuilt();
});

test("a run stays unpaid for its whole window until the owner has synced, also when other keys are taken again", async () => {
  const { id, runId, transferId, handOver } = await paidUnderLaterVersion(2, (dueAt) => dueAt);
  const before = await amountsOf(carol);
  expect(await lostIdempotencyKeys(db(), keys[1])).toBeNull();
  await cleanUp();
  const refused = pay(id, runId, keys[1]);
  await expect(refused).rejects.toMatchObject({
    code: "sync_required",
    message: expect.stringMatching(/Let the account's owner sync it.* Or pay it with the account's wallet\.$/),
  });
  expect((await readLedger(owner.session, { asset: "USDG" })).request_tags_wanted).toBe(true);
  expect((await listWantedTags(owner.session, { limit: 20 })).list).toMatchObject([{ row: { id: transferId } }]);
  await handOver();
  expect((await pay(id, runId, keys[1])).run.status).toBe("paid");
  expect(await amountsOf(carol)).toEqual(before);
  // Once no window is open that it may have been paid in, its tag is deleted.
  await db()
    .update(rebuiltPayments)
    .set({ paidAt: new Date(Date.now() - 39 * DAY) });
  await cleanUp();
  expect(await db().$count(rebuiltPayments)).toBe(0);
  await nothingRebuilt();
});

test("a run that is being paid while old payments are rebuilt is not paid", async () => {
  const { id, runId } = await dueSchedule([carol]);
  const meanwhile: KeyContext = {
    ...keys[1],
    unwrap: async (tx) => {
      if (tx) await rebuilt(new Date(), new Date(Date.now() - 1), tx);
      return keys[1].unwrap(tx);
    },
  };
  await expect(pay(id, runId, meanwhile)).rejects.toMatchObject({ code: "sync_required" });
  expect(await db().select().from(transfers).where(eq(transfers.scheduleRunId, runId))).toEqual([]);
  await nothingRebuilt();
});

test("a run that is so late that payments of its time are forgotten is paid by no key if a backup was restored since", async () => {
  const { id, runId } = await dueSchedule([bob], "2", 50);
  await advanceRun(runId);
  await rebuilt(new Date(), new Date(Date.now() - 1));
  await expect(pay(id, runId, keys[1], { late: true })).rejects.toMatchObject({
    code: "sync_required",
    message: expect.stringMatching(/Pay it with the account's wallet\.$/),
  });
  await rebuilt(new Date(Date.now() - 60 * DAY), new Date(Date.now() - 59 * DAY));
  await withWorker(async () => {
    await pay(id, runId, keys[1], { late: true });
    await confirmed(runId);
  });
  await nothingRebuilt();
});

/** Returns the seed of a run. A recipient that was sent a payment which then failed knows what follows for its note. */
async function seedOf(id: string, date: string) {
  const [row] = await db().select().from(schedules).where(eq(schedules.id, id));
  const ref = { scope: owner.scope, account: owner.address, id, version: 1 };
  const part = readTerms(decryptSchedule(owner.secret, ref, fromHex(row?.encrypted ?? "0x"))).parts[0];
  return runMarks(fromHex(part?.seed ?? "0x"), { ...ref, schedule: id, date }).seed;
}

/** Makes a note with a given seed, as an account's client does. Returns the payment's operation. */
async function makeNote(from: Owner, to: Owner, amount: bigint, seed: Uint8Array) {
  const request = await requestOf(from, to, amount);
  const plan = await planTransfer({ ...request, seed, policyVersion: 0n, recipientViewingKey: to.viewing.publicKey });
  const document = await complete(plan, derivePaymentKey(from.authority, from.scope).privateKey);
  await createTransfer(from.session, { to: to.address, asset: "USDG", confidential: true, client_signed: document });
  const [created] = await db().select().from(transfers).where(eq(transfers.newCommitment, document.new_available));
  if (!created) throw new Error("a note was made");
  return created;
}

/** Has a payment's note on the ledger, and indexed. */
async function untilIndexed({ operationId, note }: typeof transfers.$inferSelect) {
  expect(await settled(operationId)).toEqual(["confirmed"]);
  await expect.poll(() => db().$count(notes, eq(notes.note, note ?? "0x"))).toBe(1);
}

const announced = async (runId: string) =>
  (await db().select().from(events)).filter(({ payload }) => payload.run_id === runId).map(({ type }) => type);

test("a run is not paid by another account that makes the note of one of its recipients", async () => {
  const { id, runId, date } = await dueSchedule([bob, carol, bob], "1");
  const before = (await amountsOf(bob)).length;
  await withWorker(async () => {
    const seed = batchPaymentSeed(await seedOf(id, date), owner.scope, 1);
    await untilIndexed(await makeNote(mallory, carol, 1_000_000n, seed));
    for (const key of keys) {
      await expect(pay(id, runId, key)).rejects.toMatchObject({
        code: "invalid_request",
        publicMessage: expect.stringContaining("Skip this date"),
      });
    }
  });
  expect((await rowsOf(id))[0]).toMatchObject({ status: "due", failure: "invalid_request", paidAt: null });
  expect(await announced(runId)).toEqual(["schedule.due"]);
  expect((await amountsOf(bob)).length).toBe(before);
  expect(await db().select().from(transfers).where(eq(transfers.scheduleRunId, runId))).toEqual([]);
});

test("a run of one recipient is not paid by another account's payment, be it on its way or final", async () => {
  const { id, runId, date } = await dueSchedule([carol]);
  crash.beforeBroadcast = true;
  const foreign = await makeNote(mallory, carol, 2_000_000n, await seedOf(id, date));
  crash.beforeBroadcast = false;
  await expect(pay(id, runId)).rejects.toMatchObject({ code: "invalid_request" });
  await withWorker(() => untilIndexed(foreign));
  await expect(pay(id, runId)).rejects.toMatchObject({ code: "invalid_request" });
  expect((await rowsOf(id))[0]).toMatchObject({ status: "due", paidAt: null });
  expect(await announced(runId)).toEqual(["schedule.due"]);
});

test("a run of which its own account has made one note alone is not paid", async () => {
  const { id, runId, date } = await dueSchedule([bob, carol], "1");
  await withWorker(async () => {
    const seed = batchPaymentSeed(await seedOf(id, date), owner.scope, 0);
    await untilIndexed(await makeNote(owner, bob, 1_000_000n, seed));
  });
  await expect(pay(id, runId)).rejects.toMatchObject({ code: "invalid_request" });
  expect((await rowsOf(id))[0]).toMatchObject({ status: "due", paidAt: null });
});

test("a run whose payment the database no longer links to it is paid once that is final, not before", async () => {
  const { id, runId } = await dueSchedule([bob, carol], "1");
  crash.beforeBroadcast = true;
  await pay(id, runId);
  crash.beforeBroadcast = false;
  const own = await db().select().from(transfers).where(eq(transfers.scheduleRunId, runId));
  await db().update(transfers).set({ scheduleRunId: null }).where(eq(transfers.scheduleRunId, runId));
  await db().update(scheduleRuns).set({ status: "due" }).where(eq(scheduleRuns.id, runId));
  await expect(pay(id, runId)).rejects.toMatchObject({ code: "run_not_payable" });
  expect(await announced(runId)).toEqual(["schedule.due"]);
  await withWorker(async () => {
    for (const one of own) await untilIndexed(one);
  });
  expect((await pay(id, runId)).run.status).toBe("paid");
});

test("rows that were written to pay something else pay nothing", async () => {
  const { id, runId } = await dueSchedule([bob]);
  const other = await dueSchedule([carol], "9");
  const set = (values: Partial<typeof schedules.$inferSelect>) =>
    db().update(schedules).set(values).where(eq(schedules.id, id));
  const [mine] = await db().select().from(schedules).where(eq(schedules.id, id));
  const [foreign] = await db().select().from(schedules).where(eq(schedules.id, other.id));
  if (!mine || !foreign) throw new Error("both are there");
  for (const values of [
    { encrypted: foreign.encrypted },
    { version: 2 },
    { secretVersion: 2 },
    { encrypted: "0x00" as const },
  ]) {
    await set(values);
    await expect(pay(id, runId)).rejects.toMatchObject({ code: "sync_required" });
    await set(mine);
  }
  // A date that is not in the schedule, one in the future, and one whose window has ended.
  for (const [date, message] of [
    ["2026-01-13", "no payment on this date"],
    [(await rowsOf(id))[0]?.date ?? "", ""],
  ]) {
    if (!message) continue;
    await db().update(scheduleRuns).set({ date }).where(eq(scheduleRuns.id, runId));
    await expect(pay(id, runId)).rejects.toMatchObject({ code: "run_not_payable" });
  }
  expect(await db().select().from(transfers).where(eq(transfers.scheduleRunId, runId))).toEqual([]);
});

test("an earlier version of a schedule is refused to a client that has seen a later one", async () => {
  const { id, runId } = await dueSchedule([bob]);
  const [first] = await db().select().from(schedules).where(eq(schedules.id, id));
  const changed = await changeSchedule(keys[0], id, { payments: [{ to: nameOf(carol), amount: "3" }] });
  expect(changed.row.version).toBe(2);
  if (first) await db().update(schedules).set(first).where(eq(schedules.id, id));
  await expect(pay(id, runId, keys[0], { late: false, version: 2 })).rejects.toMatchObject({
    code: "schedule_changed",
  });
});

test("a run without funds says so, stays payable, and is paid late only by consent", async () => {
  const { id, runId } = await dueSchedule([bob], "100000");
  await expect(pay(id, runId)).rejects.toMatchObject({ code: "insufficient_balance" });
  expect((await getSchedule(keys[0], id)).open).toMatchObject([{ status: "due", failure: "insufficient_balance" }]);
  const later = new Date(Date.now() + 5 * DAY);
  await advanceRun(runId, later);
  await expect(payRun(keys[0], id, runId, AT_ONCE, undefined, later)).rejects.toMatchObject({
    code: "run_not_payable",
  });
  const consented = payRun(keys[0], id, runId, { late: true }, undefined, later);
  await expect(consented).rejects.toMatchObject({ code: "insufficient_balance" });
  expect((await rowsOf(id))[0]?.status).toBe("missed");
});

test("what is skipped or paused is not paid, and a handle that stands for another account neither", async () => {
  const { id, runId, date } = await dueSchedule([bob]);
  await changeSchedule(keys[0], id, { status: "paused" });
  await expect(pay(id, runId)).rejects.toMatchObject({ code: "run_not_payable" });
  await changeSchedule(keys[0], id, { status: "active" });
  await skipDate(keys[0], id, { date });
  await expect(pay(id, runId, keys[1], { late: true })).rejects.toMatchObject({ code: "run_not_payable" });
  // The client recorded the account that the handle named. It now names another one.
  const terms = termsOf({ frequency: "once", start: today() }, { address: carol.address, name: nameOf(bob) });
  const now = new Date(`${today()}T00:00:00Z`);
  const moved = `sch_${"0".repeat(25)}1`;
  await storeEncrypted(owner.session, moved, bodyOf(owner, moved, terms, { now }), undefined, now);
  const [run] = await rowsOf(moved);
  const noon = new Date(`${today()}T12:00:00Z`);
  await advanceRun(run?.id ?? "", noon);
  await expect(payRun(keys[0], moved, run?.id ?? "", AT_ONCE, undefined, noon)).rejects.toMatchObject({
    code: "recipient_not_found",
    param: "payments.0.to",
  });
});

test("a wallet without pins pays no run a second time that was paid under a later version two days ago", async () => {
  const { id, runId } = await paidUnderLaterVersion(2, (dueAt) => dueAt);
  const before = await amountsOf(carol);
  await passTime(chainEnv(CHAIN).rpcUrl, 2 * 86_400);
  await withWorker(async () => {
    const wallet = await clientOf(owner.walletKey, chainEnv(CHAIN).rpcUrl);
    await expect(payByClient(wallet, id, runId)).rejects.toMatchObject({ code: "idempotency_mismatch" });
  });
  expect(await amountsOf(carol)).toEqual(before);
});
