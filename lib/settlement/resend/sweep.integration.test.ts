import { eq } from "drizzle-orm";
import { type Address, type Hex, parseTransaction } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { operations, outgoingTransactions } from "@/db/schema/chain";
import { events } from "@/db/schema/events";
import { transfers } from "@/db/schema/transfers";
import { env } from "@/lib/base/env";
import { sendRaw } from "@/lib/chain/broadcast";
import { publicClient } from "@/lib/chain/clients";
import { currentFees } from "@/lib/chain/fees";
import { relayerAccount, relayerPositions } from "@/lib/chain/relayer";
import { type Call, signTransaction } from "@/lib/chain/sign-transaction";
import { createTransfer } from "@/lib/payments/create-transfer";
import { paidTransfer } from "@/lib/payments/paid-transfer";
import { Owner, settled } from "@/test/accounts/owner";
import { collectCounts } from "@/test/attacks/alarms";
import { type LocalServices, startLocalServices } from "@/test/services/local-services";
import { type LyingRpc, startLyingRpc } from "@/test/services/lying-rpc";
import { withWorker } from "@/test/services/with-worker";
import { attempts, makeOld, recordUnsent, refuseFrom } from "@/test/settlement/relayed";
import { reprice } from "./reprice";

const CHAIN = 46630;
/** The least that is offered for gas, whatever the base fee was when this process last asked for it (lib/chain/fees.ts). */
const LEAST = 1_000_000_000n;
let services: LocalServices;
let node: LyingRpc;
let payer: Owner;
let recipient: Owner;

beforeAll(async () => {
  services = await startLocalServices(async ({ RPC_URL_46630 = "" }) => {
    node = await startLyingRpc(RPC_URL_46630);
    return { RPC_URL_46630: node.url };
  });
  await withWorker(async () => {
    payer = await Owner.funded(CHAIN, 1_000_000_000n);
  });
});
afterAll(async () => {
  await services?.stop();
  await node?.stop();
});

/** The next payments go to a new recipient. */
async function newRecipient(): Promise<void> {
  recipient = await Owner.create(CHAIN);
  await withWorker(async () => settled(await recipient.enroll()));
}

const nonceOf = (position: number) =>
  publicClient(CHAIN).getTransactionCount({ address: relayerAccount(CHAIN, position).address });

/** Sends a transaction with a relayer's key, as another deployment with the same seed does. Returns its hash. */
async function sendElsewhere(position: number, call: Partial<Call> = {}): Promise<Hex> {
  const relayer = relayerAccount(CHAIN, position);
  const { maxFeePerGas } = await currentFees(CHAIN);
  const fees = { maxFeePerGas: 2n * maxFeePerGas, maxPriorityFeePerGas: 0n };
  const whole = { target: relayer.address, data: "0x", value: 0n, gas: 100_000n, ...call } as const;
  const { raw, hash } = await signTransaction(CHAIN, relayer, await nonceOf(position), whole, fees);
  await sendRaw(CHAIN, raw);
  const { status } = await publicClient(CHAIN).waitForTransactionReceipt({ hash, pollingInterval: 20 });
  expect(status).toBe("success");
  return hash;
}

async function pay(amount: string) {
  const input = { to: `@${recipient.account.handle}`, amount, asset: "USDG" as const, confidential: true };
  return paidTransfer(await createTransfer(await payer.key(), input)).row;
}

async function announced(transferId: string) {
  const all = await db().select().from(events).where(eq(events.accountId, payer.account.id)).orderBy(events.id);
  return all.filter(({ payload }) => payload.transfer_id === transferId).map(({ type }) => type);
}

/** Expects that each payment was made once, and was never announced as anything else. */
async function expectPaidOnce(paid: readonly Awaited<ReturnType<typeof pay>>[], units: readonly bigint[]) {
  expect(await settled(...paid.map(({ operationId }) => operationId))).toEqual(paid.map(() => "confirmed"));
  for (const { id } of paid) {
    const [row] = await db().select().from(transfers).where(eq(transfers.id, id));
    expect(row?.status).toBe("confirmed");
    expect(await announced(id)).toEqual(["transfer.initiated", "transfer.confirmed"]);
  }
  for (const one of units) await recipient.untilReceived(one);
  const received = (await recipient.openNotes()).map(({ amount }) => amount).sort();
  expect(received).toEqual([...units].sort());
}

test("payments whose nonces someone else's transactions took are made once, with the next free nonces, and an alarm says so", async () => {
  await newRecipient();
  const alarms = collectCounts("halcyon.relayer.foreign", "chain");
  const free = new Map<string, number>();
  await withWorker(async () => {
    // The worker runs already: only at its start does it ask the chain for nonces anyway.
    await settled(await recipient.mint("1"));
    const taking = relayerPositions().map(async (position) => {
      for (let n = 0; n < 4; n += 1) await sendElsewhere(position);
      free.set(relayerAccount(CHAIN, position).address.toLowerCase(), await nonceOf(position));
    });
    await Promise.all(taking);
    const paid = [await pay("1"), await pay("2"), await pay("3")];
    await expectPaidOnce(paid, [1_000_000n, 2_000_000n, 3_000_000n]);
    const lost = await Promise.all(
      paid.map(async ({ operationId }) => {
        const all = await attempts(operationId);
        expect(all.at(-1)?.status).toBe("mined");
        return all.filter(({ relayer, nonce }) => nonce < (free.get(relayer) ?? 0)).map(({ status }) => status);
      }),
    );
    expect(lost[0]).toEqual(["replaced"]);
    // All that are used up are left out at once, not tried one by one.
    for (const one of lost) expect(one.length).toBeLessThanOrEqual(1);
  });
  alarms.stop();
  expect(alarms.heard[0]).toBe(`${CHAIN}`);
});

test("a payment that someone else's transaction made at our nonce is confirmed with that transaction, and not made again", async () => {
  await newRecipient();
  const alarms = collectCounts("halcyon.relayer.foreign", "chain");
  for (const position of relayerPositions()) await sendElsewhere(position);
  const first = await pay("4");
  const [operation] = await db().select().from(operations).where(eq(operations.id, first.operationId));
  const position = relayerPositions().find(
    (one) => relayerAccount(CHAIN, one).address.toLowerCase() === operation?.relayer,
  );
  if (!operation || position === undefined) throw new Error("a payment has a relayer");
  // The same call at the nonce that the next payment gets.
  const { data, gas } = operation;
  const elsewhere = await sendElsewhere(position, { target: operation.target as Address, data, gas });
  const second = await pay("5");
  await withWorker(() => expectPaidOnce([first, second], [4_000_000n, 5_000_000n]));
  const [row] = await db().select().from(transfers).where(eq(transfers.id, first.id));
  expect(row?.txHash).toBe(elsewhere);
  await withWorker(async () => {
    await expect
      .poll(async () => (await attempts(first.operationId)).map(({ status }) => status))
      .toEqual(["replaced"]);
  });
  expect((await attempts(second.operationId)).map(({ status }) => status)).toEqual(["replaced", "mined"]);
  alarms.stop();
  expect(alarms.heard).toEqual([`${CHAIN}`, `${CHAIN}`]);
});

test("a version of our own that a restored backup lacks raises no alarm", async () => {
  await newRecipient();
  const alarms = collectCounts("halcyon.relayer.foreign", "chain");
  const paid = await pay("6");
  await publicClient(CHAIN).waitForTransactionReceipt({ hash: paid.txHash, pollingInterval: 20 });
  // As if what was mined had been signed, with a higher fee, after the snapshot.
  const [mined] = await attempts(paid.operationId);
  const [operation] = await db().select().from(operations).where(eq(operations.id, paid.operationId));
  const position = relayerPositions().find(
    (one) => relayerAccount(CHAIN, one).address.toLowerCase() === operation?.relayer,
  );
  if (!mined || !operation || position === undefined) throw new Error("a payment has a relayer");
  const call = { ...operation, target: operation.target as Address };
  const fees = { maxFeePerGas: LEAST / 2n, maxPriorityFeePerGas: 0n };
  const { raw, hash } = await signTransaction(CHAIN, relayerAccount(CHAIN, position), mined.nonce, call, fees);
  await db()
    .update(outgoingTransactions)
    .set({ raw, hash, status: "sent", sentAt: new Date() })
    .where(eq(outgoingTransactions.id, mined.id));
  await db().update(transfers).set({ txHash: hash }).where(eq(transfers.id, paid.id));
  await withWorker(async () => {
    await expectPaidOnce([paid], [6_000_000n]);
    await expect.poll(async () => (await attempts(paid.operationId)).map(({ status }) => status)).toEqual(["replaced"]);
  });
  const [row] = await db().select().from(transfers).where(eq(transfers.id, paid.id));
  expect(row?.txHash).toBe(mined.hash);
  alarms.stop();
  expect(alarms.heard).toEqual([]);
});

test("a relayer whose transactions the chain refuses keeps those of no other relayer from being sent", async () => {
  const byAddress = [...relayerPositions()].sort((a, b) =>
    relayerAccount(CHAIN, a).address.toLowerCase() < relayerAccount(CHAIN, b).address.toLowerCase() ? -1 : 1,
  );
  const [poor, ...others] = byAddress;
  if (poor === undefined) throw new Error("there are relayers");
  await withWorker(async () => {
    const { address } = relayerAccount(CHAIN, poor);
    refuseFrom(node, address);
    const waiting = (await recordUnsent(CHAIN, poor)).id;
    const unsent = await Promise.all(others.map((position) => recordUnsent(CHAIN, position)));
    expect(await settled(...unsent.map(({ id }) => id))).toEqual(others.map(() => "confirmed"));
    expect((await attempts(waiting)).map(({ status }) => status)).toEqual(["signed"]);
    refuseFrom(node);
    expect(await settled(waiting)).toEqual(["confirmed"]);
  });
});

test("a transaction that the chain has refused from the beginning is priced again, like one that it has", async () => {
  const [position = 0] = relayerPositions();
  const { address } = relayerAccount(CHAIN, position);
  const standard = env().maxFeePerGas;
  refuseFrom(node, address);
  env().maxFeePerGas = LEAST / 2n;
  const { id } = await recordUnsent(CHAIN, position).finally(() => {
    env().maxFeePerGas = standard;
  });
  await makeOld(id);
  await withWorker(async () => {
    try {
      await expect.poll(async () => (await attempts(id)).length).toBe(2);
    } finally {
      refuseFrom(node);
    }
    expect(await settled(id)).toEqual(["confirmed"]);
  });
  const [first, second] = await attempts(id);
  expect(second?.nonce).toBe(first?.nonce);
});

test("a relayer's transaction that can't be read keeps no other's fee from being raised", async () => {
  const [one = 0, other = 1] = relayerPositions();
  const standard = env().maxFeePerGas;
  const setRaw = (id: string, raw: Hex) =>
    db().update(outgoingTransactions).set({ raw }).where(eq(outgoingTransactions.operationId, id));
  node.refuse(async ({ method }) => (method === "eth_sendRawTransaction" ? "not now" : undefined));
  try {
    // Whichever of them comes first.
    for (const [bad, good] of [
      [one, other],
      [other, one],
    ] as const) {
      env().maxFeePerGas = LEAST / 2n;
      const [unreadable, waiting] = [await recordUnsent(CHAIN, bad), await recordUnsent(CHAIN, good)];
      env().maxFeePerGas = standard;
      for (const { id } of [unreadable, waiting]) await makeOld(id);
      await setRaw(unreadable.id, "0x00");
      await expect(reprice(CHAIN)).rejects.toThrow();
      expect(await attempts(waiting.id)).toHaveLength(2);
      await setRaw(unreadable.id, unreadable.raw);
      node.refuse();
      expect(await withWorker(() => settled(unreadable.id, waiting.id))).toEqual(["confirmed", "confirmed"]);
      node.refuse(async ({ method }) => (method === "eth_sendRawTransaction" ? "not now" : undefined));
    }
  } finally {
    node.refuse();
    env().maxFeePerGas = standard;
  }
});

test("while the second provider is away, fees are raised all the same", async () => {
  const [position = 0] = relayerPositions();
  const { address } = relayerAccount(CHAIN, position);
  const standard = env().maxFeePerGas;
  refuseFrom(node, address);
  try {
    env().maxFeePerGas = LEAST / 2n;
    const { id } = await recordUnsent(CHAIN, position);
    env().maxFeePerGas = standard;
    await makeOld(id);
    env().chains.test.checkRpcUrl = "http://127.0.0.1:1";
    await reprice(CHAIN);
    expect(await attempts(id)).toHaveLength(2);
    env().chains.test.checkRpcUrl = undefined;
    refuseFrom(node);
    expect(await withWorker(() => settled(id))).toEqual(["confirmed"]);
  } finally {
    refuseFrom(node);
    env().maxFeePerGas = standard;
    env().chains.test.checkRpcUrl = undefined;
  }
});

test("no replacement offers more for gas than the service pays", async () => {
  const [position = 0] = relayerPositions();
  const { address } = relayerAccount(CHAIN, position);
  const standard = env().maxFeePerGas;
  refuseFrom(node, address);
  try {
    env().maxFeePerGas = LEAST / 2n;
    const { id } = await recordUnsent(CHAIN, position);
    env().maxFeePerGas = (LEAST * 3n) / 4n;
    for (let n = 0; n < 3; n += 1) {
      await makeOld(id);
      await reprice(CHAIN);
    }
    const offered = (await attempts(id)).map(({ raw }) => parseTransaction(raw).maxFeePerGas);
    expect(offered).toEqual([LEAST / 2n, (LEAST * 3n) / 4n]);
    refuseFrom(node);
    expect(await withWorker(() => settled(id))).toEqual(["confirmed"]);
  } finally {
    refuseFrom(node);
    env().maxFeePerGas = standard;
  }
});
