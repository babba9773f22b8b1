import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { asc } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { ledgerAccounts } from "@/db/schema/accounts";
import { availableCommitments, availableStates, depositedBalances, notes } from "@/db/schema/ledger";
import { createTransfer } from "@/lib/payments/create-transfer";
import { paidTransfer } from "@/lib/payments/paid-transfer";
import { Owner, settled } from "@/test/accounts/owner";
import { startWorkingServices } from "@/test/services/working-services";
import { program } from "./stack/program";

const CHAIN = 46630;
let services: Awaited<ReturnType<typeof startWorkingServices>>;
let alice: Owner;
let bob: Owner;

beforeAll(async () => {
  services = await startWorkingServices();
  [alice, bob] = await Promise.all([Owner.funded(CHAIN, 500_000_000n), Owner.create(CHAIN)]);
  await settled(await bob.enroll());
  await pay(alice, bob, "40");
  await pay(alice, bob, "5");
  // A spent note for each payment, a change note, unused deposited money, and one open note.
  await settled(await bob.makeAvailable(30_000_000n), await alice.mint("7"));
  await settled(await alice.deposit(7_000_000n));
  await pay(bob, alice, "2");
});

afterAll(() => services?.stop());

async function pay(from: Owner, to: Owner, amount: string): Promise<void> {
  const input = { to: `@${to.account.handle}`, amount, asset: "USDG" as const, confidential: true };
  const { row } = paidTransfer(await createTransfer(await from.key(), input));
  expect(await settled(row.operationId)).toEqual(["confirmed"]);
}

/** Reads what the chain determines, and the encrypted states, which the chain can't restore. */
const index = async () => ({
  records: await db().select().from(ledgerAccounts).orderBy(asc(ledgerAccounts.address)),
  notes: await db().select().from(notes).orderBy(asc(notes.blockNumber), asc(notes.logIndex)),
  depositedBalances: await db()
    .select()
    .from(depositedBalances)
    .orderBy(asc(depositedBalances.account), asc(depositedBalances.asset)),
  commitments: await db()
    .select()
    .from(availableCommitments)
    .orderBy(asc(availableCommitments.account), asc(availableCommitments.asset)),
  states: await db().select().from(availableStates).orderBy(asc(availableStates.id)),
});

const wipe = () =>
  db().transaction(async (tx) => {
    for (const table of [notes, depositedBalances, availableCommitments, ledgerAccounts]) await tx.delete(table);
  });

/** Runs `npm run reindex` as a separate process, next to the worker. */
async function reindex(): Promise<string> {
  return (await promisify(execFile)(process.execPath, [await program("scripts/reindex.ts")])).stdout;
}

test("npm run reindex brings back from the chain all that was lost of the index, and keeps the encrypted states", async () => {
  const before = await index();
  expect(before.records).toHaveLength(2);
  expect(before.notes.map(({ source, spent }) => `${source} ${spent}`).sort()).toEqual([
    "change false",
    "transfer false",
    "transfer true",
    "transfer true",
  ]);
  expect(before.depositedBalances.map(({ units }) => units).sort()).toEqual([0n, 7_000_000n]);
  expect(before.commitments).toHaveLength(2);
  expect(before.states.map(({ status }) => status)).toEqual(["final", "final"]);
  await wipe();
  expect(await reindex()).toMatch(/^chain 46630: up to block \d+, \d+ events$/m);
  expect(await index()).toEqual(before);
  // Again over a complete index: nothing is counted twice.
  await reindex();
  expect(await index()).toEqual(before);
});

test("after it payments and moves to the available balance continue as before", async () => {
  const [had, available] = [await bob.openNotes(), await alice.decryptAvailable()];
  await wipe();
  await reindex();
  expect(await bob.openNotes()).toEqual(had);
  expect(await alice.decryptAvailable()).toEqual(available);
  await pay(alice, bob, "1");
  expect((await bob.openNotes()).map(({ amount }) => amount)).toContain(1_000_000n);
  expect(await settled(await bob.makeAvailable())).toEqual(["confirmed"]);
  expect(await bob.openNotes()).toEqual([]);
  await pay(bob, alice, "3");
});
