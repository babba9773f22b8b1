import { asc, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { operations, outgoingTransactions } from "@/db/schema/chain";
import { chainCursors } from "@/db/schema/ledger";
import { transfers } from "@/db/schema/transfers";
import { chainEnv } from "@/lib/chain/clients";
import { createTransfer } from "@/lib/payments/create-transfer";
import { paidTransfer } from "@/lib/payments/paid-transfer";
import { rpc } from "@/scripts/stack/rpc";
import { Agent } from "@/test/accounts/agent";
import { Owner, settled } from "@/test/accounts/owner";
import { sendBatch } from "@/test/accounts/send-batch";
import { startWorkingServices } from "@/test/services/working-services";

const CHAIN = 46630;
let services: Awaited<ReturnType<typeof startWorkingServices>>;
let alice: Owner;
let bob: Owner;
let carol: Owner;

beforeAll(async () => {
  services = await startWorkingServices();
  [alice, bob, carol] = await Promise.all([
    Owner.funded(CHAIN, 500_000_000n),
    Owner.create(CHAIN),
    Owner.create(CHAIN),
  ]);
  await settled(await bob.enroll(), await carol.enroll());
});

afterAll(() => services?.stop());

const COLUMNS = [
  "kind",
  "payerId",
  "recipientAddress",
  "asset",
  "oldCommitment",
  "newCommitment",
  "note",
  "paymentId",
  "mode",
] as const;
const MORE = ["batchIndex", "recipientCiphertext", "payerCiphertext", "txHash", "status"] as const;
type Row = typeof transfers.$inferSelect;
const shownByChain = (row: Row) => Object.fromEntries([...COLUMNS, ...MORE].map((name) => [name, row[name]]));

/** Returns a payer's transfers as the chain shows them, and the number of operations by kind. */
async function readSent(payerId: string) {
  const rows = await db()
    .select({ transfer: transfers, kind: operations.kind, operationId: operations.id })
    .from(transfers)
    .innerJoin(operations, eq(operations.id, transfers.operationId))
    .where(eq(transfers.payerId, payerId))
    .orderBy(asc(transfers.newCommitment), asc(transfers.batchIndex));
  const kinds = new Map(rows.map(({ operationId, kind }) => [operationId, kind]));
  return { transfers: rows.map(({ transfer }) => shownByChain(transfer)), operations: [...kinds.values()].sort() };
}

/** Simulates a restored backup: deletes the payments and rebuilds the index. */
async function lose(payerId: string) {
  const rows = await db().select().from(transfers).where(eq(transfers.payerId, payerId));
  const ids = [...new Set(rows.map(({ operationId }) => operationId))];
  await db().transaction(async (tx) => {
    await tx.delete(transfers).where(eq(transfers.payerId, payerId));
    await tx.delete(outgoingTransactions).where(inArray(outgoingTransactions.operationId, ids));
    await tx.delete(operations).where(inArray(operations.id, ids));
    await tx.update(chainCursors).set({ whole: false }).where(eq(chainCursors.chainId, CHAIN));
  });
  // The index looks again at the next block, and an idle chain makes only one a minute.
  await rpc(chainEnv(CHAIN).rpcUrl, "evm_mine");
  await expect
    .poll(async () => (await db().select().from(transfers).where(eq(transfers.payerId, payerId))).length)
    .toBe(rows.length);
}

test("payments that a restored database lacks come back as they were: alone, public, of many together", async () => {
  const input = { to: `@${bob.account.handle}`, amount: "1", asset: "USDG" as const };
  const key = await alice.key();
  for (const confidential of [true, false]) {
    const { row } = paidTransfer(await createTransfer(key, { ...input, confidential }));
    await settled(row.operationId);
  }
  const batch = await sendBatch(
    alice,
    [bob, carol, bob].map((to) => ({ to, amount: 2_000_000n })),
  );
  await settled(batch[0]?.operationId ?? "");
  const before = await readSent(alice.account.id);
  expect(before.operations).toEqual(["release", "transfer", "transfer_many"]);
  expect(before.transfers).toHaveLength(5);
  await lose(alice.account.id);
  expect(await readSent(alice.account.id)).toEqual(before);
});

test("so do payments under a policy, with the mode that they claimed, and moves between an owner and its agent", async () => {
  const { agent, operationId } = await Agent.create(alice, { hitlThreshold: 10_000_000n });
  await settled(operationId);
  const to = `@${bob.account.handle}`;
  const fund = { to: `@${agent.account.handle}`, amount: "20", asset: "USDG" as const, confidential: true };
  await settled(paidTransfer(await createTransfer(await alice.key(), fund)).row.operationId);
  const context = await agent.key();
  for (const confidential of [true, false]) {
    const { row } = paidTransfer(await createTransfer(context, { to, amount: "1", asset: "USDG", confidential }));
    await settled(row.operationId);
  }
  const [of, funded] = [await readSent(agent.account.id), await readSent(alice.account.id)];
  expect(of.operations).toEqual(["spend", "spend_public"]);
  expect(of.transfers.map(({ mode }) => mode)).toEqual([0, 0]);
  expect(funded.operations).toContain("fund");
  await lose(agent.account.id);
  await lose(alice.account.id);
  expect(await readSent(agent.account.id)).toEqual(of);
  expect(await readSent(alice.account.id)).toEqual(funded);
});
