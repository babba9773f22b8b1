import { randomBytes } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import type { Hex } from "viem";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { db } from "@/db/client";
import { events } from "@/db/schema/events";
import { payoutRows, payouts } from "@/db/schema/payouts";
import { scheduleRuns, schedules } from "@/db/schema/schedules";
import { transfers } from "@/db/schema/transfers";
import { newId } from "@/lib/base/ids";
import { toPayout } from "@/lib/payments/payouts/payout-resource";
import { countRows } from "@/lib/payments/payouts/read-payout";
import { watchPayout } from "@/lib/payments/payouts/watch-payout";
import { toRun } from "@/lib/payments/schedules/schedule-resource";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { CHAIN, newCommitment, newParty, newPayment, type Party, statusOf } from "@/test/settlement/final-payments";
import { failOperations } from "./fail-operations";
import { reopenPayments } from "./reopen-payments";
import { confirmOperations } from "./settle-operations";

const DAY = 86_400_000;
let services: SharedServices;
let payer: Party;
let bob: Party;

beforeAll(async () => {
  services = await startSharedServices();
});
beforeEach(async () => {
  [payer, bob] = [await newParty(), await newParty()];
});
afterAll(() => services?.stop());

const txHash: Hex = `0x${"ab".repeat(32)}`;
const pay = (paid: { to: Party; note: Hex }[]) =>
  newPayment({ payer, paid, oldCommitment: newCommitment(), newCommitment: newCommitment(), policyVersion: 0n });
const confirm = (operationId: string) =>
  db().transaction((tx) => confirmOperations(tx, CHAIN, [{ operationId, txHash }], new Date()));
const reopen = (operationId: string) => db().transaction((tx) => reopenPayments(tx, [operationId], new Date()));
const fail = (operationId: string) => db().transaction((tx) => failOperations(tx, [operationId], new Date()));

/** Returns the types of the payer's events about runs and payouts, sorted. */
async function announced() {
  const types = ["schedule.run_paid", "schedule.run_missed", "payout.finished", "payout.paused"] as const;
  const mine = and(eq(events.accountId, payer.id), inArray(events.type, [...types]));
  return (await db().select().from(events).where(mine)).map(({ type }) => type).sort();
}

/** Links a payment to a run that is being paid. */
async function payingRun(operationId: string, windowEndsAt = new Date(Date.now() + DAY)) {
  const [id, createdAt] = [newId("schedule"), new Date(Date.now() - 2 * DAY)];
  const of = { chainId: CHAIN, accountId: payer.id, createdAt };
  const encrypted = { version: 1, encrypted: "0x", secretVersion: 1, windowSeconds: 86_400 } as const;
  await db()
    .insert(schedules)
    .values({ ...of, ...encrypted, id, status: "active", updatedAt: createdAt });
  const run = { id: newId("scheduleRun"), scheduleId: id, date: "2026-01-31", dueAt: createdAt, windowEndsAt } as const;
  await db()
    .insert(scheduleRuns)
    .values({ ...of, ...run, status: "paying" });
  await linkRun(operationId, run.id);
  return run.id;
}

const linkRun = (operationId: string, scheduleRunId: string) =>
  db().update(transfers).set({ scheduleRunId }).where(eq(transfers.operationId, operationId));

async function runOf(id: string) {
  const [run] = await db().select().from(scheduleRuns).where(eq(scheduleRuns.id, id));
  if (!run) throw new Error("the run is there");
  return run;
}

/** Links a payment to the rows of a payout whose last payment it is. */
async function sentPayout(operationId: string) {
  const paid = await db()
    .select()
    .from(transfers)
    .where(eq(transfers.operationId, operationId))
    .orderBy(transfers.batchIndex);
  const [id, now] = [newId("payout"), new Date()];
  const asked = {
    askedBy: "wallet",
    idempotencyKey: id,
    fingerprint: "0x",
    encryptedKey: "0x",
    secretVersion: 1,
  } as const;
  const of = { chainId: CHAIN, accountId: payer.id, createdAt: now, workingUntil: now };
  await db()
    .insert(payouts)
    .values({ ...of, ...asked, id, status: "processing", rows: paid.length });
  await db()
    .insert(payoutRows)
    .values(
      paid.map(({ id: transferId, note }, place) => ({
        ...{ payoutId: id, row: place + 1, batch: 0, place, note: note ?? "0x", transferId },
        ...({ encrypted: `0x${randomBytes(4).toString("hex")}`, status: "sent", alone: false } as const),
      })),
    );
  await db().update(transfers).set({ payoutId: id }).where(eq(transfers.operationId, operationId));
  return id;
}

async function payoutOf(id: string) {
  const [payout] = await db().select().from(payouts).where(eq(payouts.id, id));
  const counts = (await countRows([id])).get(id);
  if (!payout || !counts) throw new Error("the payout is there");
  return toPayout({ payout, counts });
}

const oneNote = () => [{ to: bob, note: newCommitment() }];
const twoNotes = () => [...oneNote(), ...oneNote()];

test("the database refuses a payment that is for two things", async () => {
  const payment = await pay(oneNote());
  await payingRun(payment);
  const paid = db()
    .update(transfers)
    .set({ payoutId: newId("payout") })
    .where(eq(transfers.operationId, payment));
  await expect(paid).rejects.toMatchObject({ cause: { constraint_name: "transfers_purpose" } });
});

test("a paid run whose payment the chain lacks is being paid again, and is announced once when it is confirmed", async () => {
  const payment = await pay(twoNotes());
  const run = await payingRun(payment);
  await confirm(payment);
  expect((await runOf(run)).status).toBe("paid");
  await reopen(payment);
  expect(await statusOf(payment)).toEqual(["pending", "pending"]);
  expect(toRun(await runOf(run))).toMatchObject({ status: "paying", paid_at: null });
  await confirm(payment);
  expect((await runOf(run)).status).toBe("paid");
  expect(await announced()).toEqual(["schedule.run_paid"]);
});

test("a paid run whose payment the chain lacks and then refuses can be paid again, and that is announced", async () => {
  const payment = await pay(twoNotes());
  const run = await payingRun(payment);
  await confirm(payment);
  await reopen(payment);
  await fail(payment);
  expect(await runOf(run)).toMatchObject({ status: "due", failure: "transfer_failed" });
  const second = await pay(twoNotes());
  await linkRun(second, run);
  await confirm(second);
  expect((await runOf(run)).status).toBe("paid");
  expect(await announced()).toEqual(["schedule.run_paid", "schedule.run_paid"]);
});

test("a paid run whose payment the chain lacks and then refuses is missed once its window has ended", async () => {
  const payment = await pay(oneNote());
  const run = await payingRun(payment, new Date(Date.now() - 1));
  await confirm(payment);
  await reopen(payment);
  await fail(payment);
  expect(await runOf(run)).toMatchObject({ status: "missed", failure: "transfer_failed" });
  expect(await announced()).toEqual(["schedule.run_missed", "schedule.run_paid"]);
});

test("a run that another confirmed payment has paid stays paid when the first one turns out not to be there", async () => {
  const [payment, twin] = [await pay(oneNote()), await pay(oneNote())];
  const run = await payingRun(payment);
  await linkRun(twin, run);
  await confirm(payment);
  await confirm(twin);
  await reopen(payment);
  expect((await runOf(run)).status).toBe("paid");
});

test("a finished payout whose payment the chain lacks goes on, and is announced once when it is confirmed", async () => {
  const payment = await pay(twoNotes());
  const id = await sentPayout(payment);
  await confirm(payment);
  await watchPayout(id, new Date());
  expect(await payoutOf(id)).toMatchObject({ status: "finished", rows_paid: 2 });
  await reopen(payment);
  expect(await payoutOf(id)).toMatchObject({ status: "processing", rows_sent: 2, rows_paid: 0, finished_at: null });
  expect(await watchPayout(id, new Date())).toBeNull();
  await confirm(payment);
  await watchPayout(id, new Date());
  expect(await payoutOf(id)).toMatchObject({ status: "finished", rows_paid: 2, finished_at: expect.any(String) });
  expect(await announced()).toEqual(["payout.finished"]);
});

test("the rows of a finished payout whose batch the chain lacks and then refuses have failed, and it says so once more", async () => {
  const payment = await pay(twoNotes());
  const id = await sentPayout(payment);
  await confirm(payment);
  await watchPayout(id, new Date());
  await reopen(payment);
  await fail(payment);
  await watchPayout(id, new Date());
  expect(await payoutOf(id)).toMatchObject({ status: "finished", rows_failed: 2, rows_paid: 0 });
  expect(await announced()).toEqual(["payout.finished", "payout.finished"]);
});

test("a single row that the chain lacks and then refuses has failed, and the payout says so once more", async () => {
  const payment = await pay(oneNote());
  const id = await sentPayout(payment);
  await confirm(payment);
  await watchPayout(id, new Date());
  await reopen(payment);
  await fail(payment);
  await watchPayout(id, new Date());
  expect(await payoutOf(id)).toMatchObject({ status: "finished", rows_failed: 1, rows_paid: 0 });
  expect(await announced()).toEqual(["payout.finished", "payout.finished"]);
});

test("a cancelled payout stays cancelled when a payment that it had made is open again", async () => {
  const payment = await pay(oneNote());
  const id = await sentPayout(payment);
  await confirm(payment);
  await db().update(payouts).set({ status: "cancelled", finishedAt: new Date() }).where(eq(payouts.id, id));
  await reopen(payment);
  expect(await payoutOf(id)).toMatchObject({ status: "cancelled", rows_sent: 1, finished_at: expect.any(String) });
});
