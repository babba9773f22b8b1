import { eq } from "drizzle-orm";
import { type Hex, zeroHash } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "@/db/client";
import { events } from "@/db/schema/events";
import { availableStates, notes } from "@/db/schema/ledger";
import { transfers } from "@/db/schema/transfers";
import { askForPayments } from "@/lib/chain/ask/ask-for-payments";
import type { LedgerEvent } from "@/lib/ledger/ledger-events";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import {
  ASSET,
  apply,
  CHAIN,
  newCommitment,
  newParty,
  newPayment,
  type Party,
  place,
  released,
  statusOf,
} from "@/test/settlement/final-payments";
import { availableChanges, indexEvents } from "./apply-events";
import { failOperations } from "./fail-operations";
import { resyncTransfers } from "./resync-transfers";
import { settleAvailableBalances } from "./settle-available-balances";

let services: SharedServices;
let payer: Party;
let bob: Party;
let carol: Party;

beforeAll(async () => {
  services = await startSharedServices();
});

beforeEach(async () => {
  [payer, bob, carol] = [await newParty(), await newParty(), await newParty()];
});

afterAll(() => services?.stop());

const states = () => db().select().from(availableStates).where(eq(availableStates.account, payer.address));

describe("payments that leave one commitment", () => {
  test("of two public ones only that with the payment id on chain settles, not the one to another recipient", async () => {
    const commitments: [Hex, Hex] = [newCommitment(), newCommitment()];
    const [given, sent] = [newCommitment(), newCommitment()];
    const over = { payer, oldCommitment: commitments[0], newCommitment: commitments[1] };
    const first = await newPayment({ ...over, paid: [{ to: bob, paymentId: given }], status: "failed" });
    const second = await newPayment({ ...over, paid: [{ to: carol, paymentId: sent }] });
    await apply([released(payer, carol, sent, commitments)]);
    expect(await statusOf(first)).toEqual(["failed", "failed"]);
    expect(await statusOf(second)).toEqual(["confirmed", "confirmed"]);
    expect((await states()).map(({ status, operationId }) => [status, operationId])).toEqual([["final", second]]);
  });

  test("the one that was given up is confirmed when it is the one on chain, and the other is left to be asked about", async () => {
    const commitments: [Hex, Hex] = [newCommitment(), newCommitment()];
    const [given, sent] = [newCommitment(), newCommitment()];
    const over = { payer, oldCommitment: commitments[0], newCommitment: commitments[1] };
    const first = await newPayment({ ...over, paid: [{ to: bob, paymentId: given }], status: "failed" });
    const second = await newPayment({ ...over, paid: [{ to: carol, paymentId: sent }] });
    expect(await apply([released(payer, bob, given, commitments)])).toEqual([second]);
    expect(await statusOf(first)).toEqual(["confirmed", "confirmed"]);
    expect(await statusOf(second)).toEqual(["pending", "pending"]);
    const found = (await states()).map(({ status, operationId }) => [operationId, status]);
    expect(Object.fromEntries(found)).toEqual({ [first]: "final", [second]: "void" });
  });

  test("a payment id with another recipient or amount settles nothing", async () => {
    const commitments: [Hex, Hex] = [newCommitment(), newCommitment()];
    const paymentId = newCommitment();
    const over = { payer, oldCommitment: commitments[0], newCommitment: commitments[1] };
    await newPayment({ ...over, paid: [{ to: bob, paymentId }] });
    // Another amount leaves a different commitment.
    const others = [
      released(payer, carol, paymentId, commitments),
      released(payer, bob, paymentId, [commitments[0], newCommitment()], 9n),
    ];
    for (const other of others) {
      const settled = await db().transaction(async (tx) => {
        await indexEvents(tx, CHAIN, [other]);
        return settleAvailableBalances(tx, CHAIN, availableChanges([other]));
      });
      expect(settled.carriedOut).toEqual([]);
    }
  });

  test("one payment that was tried again is confirmed once, also when everything is judged again", async () => {
    const commitments: [Hex, Hex] = [newCommitment(), newCommitment()];
    const paymentId = newCommitment();
    const over = {
      payer,
      oldCommitment: commitments[0],
      newCommitment: commitments[1],
      paid: [{ to: bob, paymentId }],
    };
    const first = await newPayment({ ...over, status: "failed" });
    const second = await newPayment(over);
    await apply([released(payer, bob, paymentId, commitments)]);
    await db().transaction((tx) => resyncTransfers(tx, CHAIN));
    expect(await statusOf(first)).toEqual(["failed", "failed"]);
    expect(await statusOf(second)).toEqual(["confirmed", "confirmed"]);
    const at = { number: 10n, hash: zeroHash, time: new Date() };
    expect(await askForPayments(CHAIN, first, at)).toEqual({ outcome: "never" });
    expect(await askForPayments(CHAIN, second, at)).toMatchObject({ outcome: "executed", indexed: true });
  });
});

describe("payments that are made together", () => {
  const batchOf = (
    paid: readonly { to: Party; note: Hex }[],
    [oldAvailable, newAvailable]: [Hex, Hex],
    sender = payer,
  ): LedgerEvent[] => {
    const start = place();
    const common = { account: sender.address, asset: ASSET };
    const commitments = { oldAvailable: BigInt(oldAvailable), newAvailable: BigInt(newAvailable) };
    return [
      { ...start, eventName: "BatchTransferred", args: { ...common, ...commitments, payerCiphertext: "0x" } },
      ...paid.map(
        ({ to, note }): LedgerEvent => ({
          ...place(start.transactionHash),
          eventName: "Paid",
          args: { ...common, to: to.address, note: BigInt(note), recipientCiphertext: "0x0a" },
        }),
      ),
    ];
  };

  test("settle together: one operation, sixteen transfers, sixteen notes, one state, one event for each", async () => {
    const commitments: [Hex, Hex] = [newCommitment(), newCommitment()];
    const paid = Array.from({ length: 16 }, (_, n) => ({ to: n % 2 === 0 ? bob : carol, note: newCommitment() }));
    const id = await newPayment({
      payer,
      paid,
      oldCommitment: commitments[0],
      newCommitment: commitments[1],
      policyVersion: 0n,
    });
    await apply(batchOf(paid, commitments));
    const rows = await db().select().from(transfers).where(eq(transfers.operationId, id));
    expect(rows.map(({ status }) => status)).toEqual(Array(16).fill("confirmed"));
    expect(await statusOf(id)).toEqual(["confirmed", "confirmed"]);
    const opened = await db().select().from(notes).where(eq(notes.sender, payer.address));
    expect(new Set(opened.map(({ note }) => note))).toEqual(new Set(paid.map(({ note }) => note)));
    expect((await states()).map(({ status }) => status)).toEqual(["final"]);
    const said = await db().select().from(events).where(eq(events.accountId, payer.id));
    expect(said.map(({ type }) => type)).toEqual(Array(16).fill("transfer.confirmed"));
  });

  test("never happen once a recipient has paid itself the same note from another account", async () => {
    const stolen = { to: carol, note: newCommitment() };
    const id = await newPayment({
      payer,
      paid: [stolen],
      oldCommitment: newCommitment(),
      newCommitment: newCommitment(),
    });
    const theirs = batchOf([stolen], [newCommitment(), newCommitment()], await newParty());
    await db().transaction((tx) => indexEvents(tx, CHAIN, theirs));
    expect(await statusOf(id)).toEqual(["pending", "pending"]);
    const at = { number: 10n, hash: zeroHash, time: new Date() };
    expect(await askForPayments(CHAIN, id, at)).toEqual({ outcome: "never" });
  });

  test("fail together", async () => {
    const commitments: [Hex, Hex] = [newCommitment(), newCommitment()];
    const paid = [bob, carol].map((to) => ({ to, note: newCommitment() }));
    const id = await newPayment({ payer, paid, oldCommitment: commitments[0], newCommitment: commitments[1] });
    await db().transaction((tx) => failOperations(tx, [id], new Date()));
    expect(await statusOf(id)).toEqual(["failed", "failed"]);
    expect((await states()).map(({ status }) => status)).toEqual(["void"]);
  });
});
