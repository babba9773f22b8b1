import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { createPublicClient, type Hex, http, numberToHex, type PublicClient } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { outgoingTransactions } from "@/db/schema/chain";
import { events } from "@/db/schema/events";
import { transfers } from "@/db/schema/transfers";
import { createTransfer } from "@/lib/payments/create-transfer";
import { paidTransfer } from "@/lib/payments/paid-transfer";
import { Owner, settled } from "@/test/accounts/owner";
import { type LocalServices, startLocalServices } from "@/test/services/local-services";
import { type LyingRpc, startLyingRpc } from "@/test/services/lying-rpc";
import { withWorker } from "@/test/services/with-worker";

const CHAIN = 46630;
let services: LocalServices;
let node: LyingRpc;
let truth: PublicClient;
let payer: Owner;
let recipient: Owner;

beforeAll(async () => {
  services = await startLocalServices(async (env) => {
    const url = env.RPC_URL_46630 ?? "";
    node = await startLyingRpc(url);
    node.final("latest");
    truth = createPublicClient({ transport: http(url) });
    return { RPC_URL_46630: node.url, FINALITY_46630: "safe" };
  });
  await withWorker(async () => {
    [payer, recipient] = await Promise.all([Owner.funded(CHAIN, 1_000_000_000n), Owner.create(CHAIN)]);
    await settled(await recipient.enroll());
  });
});

afterAll(async () => {
  await services?.stop();
  await node?.stop();
});

async function pay(amount: string) {
  const input = { to: `@${recipient.account.handle}`, amount, asset: "USDG" as const, confidential: true };
  return paidTransfer(await createTransfer(await payer.key(), input)).row;
}

async function statusOf(id: string) {
  const [row] = await db().select({ status: transfers.status }).from(transfers).where(eq(transfers.id, id));
  return row?.status;
}

async function announced(id: string) {
  const all = await db().select().from(events).where(eq(events.accountId, payer.account.id)).orderBy(events.id);
  return all.filter(({ payload }) => payload.transfer_id === id).map(({ type }) => type);
}

async function until(is: () => Promise<boolean>): Promise<void> {
  while (!(await is())) await sleep(50);
}

const receipt = (hash: Hex) => truth.getTransactionReceipt({ hash }).catch(() => undefined);
const sentTo = (hash: Hex) => db().select().from(outgoingTransactions).where(eq(outgoingTransactions.hash, hash));

test("payments in blocks that a reorganization takes away are not confirmed, are sent again, and are paid once", async () => {
  const { request } = truth as unknown as { request(call: { method: string; params: unknown[] }): Promise<unknown> };
  const before = await truth.getBlockNumber({ cacheTime: 0 });
  node.final(numberToHex(before));
  // The chain mines empty blocks too. Removing one or two blocks fewer than there are then still takes every payment.
  await request({ method: "anvil_mine", params: [numberToHex(3)] });
  await withWorker(async () => {
    const ids: string[] = [];
    const hashes: Hex[] = [];
    for (const amount of ["1", "2", "3"]) {
      const { id, txHash } = await pay(amount);
      ids.push(id);
      hashes.push(txHash as Hex);
    }
    await until(async () => (await Promise.all(hashes.map(receipt))).every(Boolean));
    expect(await Promise.all(ids.map(statusOf))).toEqual(["pending", "pending", "pending"]);

    const depth = Number((await truth.getBlockNumber({ cacheTime: 0 })) - before);
    await request({ method: "anvil_reorg", params: [depth, []] });
    expect(await Promise.all(hashes.map(receipt))).toEqual([undefined, undefined, undefined]);
    expect(await Promise.all(ids.map(announced))).toEqual(ids.map(() => ["transfer.initiated"]));

    await until(async () => (await Promise.all(hashes.map(receipt))).every(Boolean));
    node.final("latest");
    await until(async () => (await Promise.all(ids.map(statusOf))).every((status) => status === "confirmed"));
    for (const id of ids) expect(await announced(id)).toEqual(["transfer.initiated", "transfer.confirmed"]);
    for (const hash of hashes) expect(await sentTo(hash)).toMatchObject([{ status: "mined" }]);
    // A receipt may confirm a payment before the index has its note.
    for (const units of [1n, 2n, 3n]) await recipient.untilReceived(units * 1_000_000n);
  });
  const received = (await recipient.openNotes()).map(({ amount }) => amount);
  expect(received.sort()).toEqual([1_000_000n, 2_000_000n, 3_000_000n]);
});
