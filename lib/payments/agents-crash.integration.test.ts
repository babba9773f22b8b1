import { setTimeout as sleep } from "node:timers/promises";
import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "@/db/client";
import { outgoingTransactions } from "@/db/schema/chain";
import { events } from "@/db/schema/events";
import { transfers } from "@/db/schema/transfers";
import { readLedger } from "@/lib/balances/read-ledger";
import { syncBalance } from "@/lib/balances/sync";
import type { KeyContext } from "@/lib/base/context/context";
import { documentCalldata } from "@/lib/chain/document-calldata";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { hexToCommitment } from "@/lib/ledger/crypto/field";
import { decryptAvailableState, encryptAvailableState } from "@/lib/ledger/encrypted/available-state";
import { spentOnDay } from "@/lib/policy/spent";
import { indexNext } from "@/lib/settlement/index-next";
import { Agent } from "@/test/accounts/agent";
import { awayFromMidnight } from "@/test/accounts/away-from-midnight";
import { Owner, settled } from "@/test/accounts/owner";
import { payWithDeadline } from "@/test/accounts/pay-with-deadline";
import { crash } from "@/test/chain/crash";
import { sendFromFaucet } from "@/test/chain/send-from-faucet";
import { type LocalServices, startLocalServices } from "@/test/services/local-services";
import { withWorker } from "@/test/services/with-worker";
import { createTransfer } from "./create-transfer";
import { paidTransfer } from "./paid-transfer";

const CHAIN = 46630;
let services: LocalServices;
let owner: Owner;
let stranger: Owner;
let agent: Agent;
let ownerKey: KeyContext;
let agentKey: KeyContext;

beforeAll(async () => {
  services = await startLocalServices();
  await withWorker(async () => {
    [owner, stranger] = await Promise.all([Owner.funded(CHAIN, 1_000_000_000n), Owner.create(CHAIN)]);
    await settled(await stranger.enroll());
  });
  ownerKey = await owner.key();
});

afterAll(() => services?.stop());

/** Before each test: an agent with an available balance of 50 USDG, all final. */
beforeEach(async () => {
  await awayFromMidnight();
  crash.beforeBroadcast = false;
  await withWorker(async () => {
    const created = await Agent.create(owner, { dailyLimit: 10_000_000n });
    agent = created.agent;
    agentKey = await agent.key();
    const funded = await pay(ownerKey, agent, "50");
    expect(await settled(created.operationId, funded.operationId)).toEqual(["confirmed", "confirmed"]);
  });
});

interface Options {
  from?: Agent;
  deadlineSeconds?: number;
}

const pay = async (by: KeyContext, to: Owner | Agent, amount: string, { from, deadlineSeconds }: Options = {}) => {
  const body = { to: `@${to.account.handle}`, amount, asset: "USDG" as const, confidential: true };
  const payer = from && { from: `@${from.account.handle}` };
  const input = { ...body, ...payer };
  const paying = deadlineSeconds ? payWithDeadline(by, input, deadlineSeconds) : createTransfer(by, input);
  return paidTransfer(await paying).row;
};

const limits = async () => [(await owner.decryptAvailable()).limit, (await agent.decryptAvailable()).limit];
const spentToday = async () => spentOnDay((await agent.decryptAvailable()).counters, "UTC", new Date());

const transactionsOf = (operationId: string) =>
  db().select().from(outgoingTransactions).where(eq(outgoingTransactions.operationId, operationId));

describe("a move between an owner and its agent", () => {
  test("that crashed after its commit is carried by the worker, with the same bytes, once", async () => {
    const [had = 0n] = await limits();
    crash.beforeBroadcast = true;
    const row = await pay(ownerKey, agent, "5");
    crash.beforeBroadcast = false;
    await withWorker(async () => expect(await settled(row.operationId)).toEqual(["confirmed"]));
    const sent = await transactionsOf(row.operationId);
    expect(sent.map(({ hash, status }) => ({ hash, status }))).toEqual([{ hash: row.txHash, status: "mined" }]);
    expect(await limits()).toEqual([had - 5_000_000n, 55_000_000n]);
  });

  test("that never became final fails with what was built on it on either side; money and counters come back", async () => {
    const before = await limits();
    crash.beforeBroadcast = true;
    const first = await pay(ownerKey, agent, "5", { deadlineSeconds: 2 });
    const built = [
      await pay(agentKey, stranger, "3"),
      await pay(ownerKey, stranger, "4"),
      await pay(ownerKey, owner, "6", { from: agent }),
    ];
    expect(await spentToday()).toBe(3_000_000n);
    await sleep(3_500);
    crash.beforeBroadcast = false;
    const ids = [first, ...built].map(({ operationId }) => operationId);
    await withWorker(async () => expect(new Set(await settled(...ids))).toEqual(new Set(["failed"])));
    expect(await limits()).toEqual(before);
    expect(await spentToday()).toBe(0n);
    const rows = await db().select().from(transfers).where(inArray(transfers.operationId, ids));
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(["failed"]));
    const announced = await db().select().from(events).where(eq(events.type, "transfer.failed"));
    const mine = announced.filter(({ payload }) => rows.some(({ id }) => id === payload.transfer_id));
    expect(mine.length).toBe(2 * ids.length);
    await withWorker(async () => {
      const again = [await pay(ownerKey, agent, "5"), await pay(agentKey, stranger, "10")];
      expect(await settled(...again.map(({ operationId }) => operationId))).toEqual(["confirmed", "confirmed"]);
    });
  });

  test("waits for what both sides have under way, whichever relayers carry it", async () => {
    const [had = 0n] = await limits();
    // Started independently, so they use different relayers.
    crash.beforeBroadcast = true;
    const apart = [await pay(ownerKey, stranger, "1"), await pay(agentKey, stranger, "2")];
    const row = await pay(ownerKey, agent, "3");
    const after = [await pay(agentKey, stranger, "4"), await pay(ownerKey, stranger, "5")];
    crash.beforeBroadcast = false;
    // Payments that build on it use the same relayer, no matter which account made them.
    const carriers = [row, ...after].map(async ({ operationId }) => (await transactionsOf(operationId))[0]?.relayer);
    expect(new Set(await Promise.all(carriers)).size).toBe(1);
    const ids = [...apart, row, ...after].map(({ operationId }) => operationId);
    await withWorker(async () => expect(new Set(await settled(...ids))).toEqual(new Set(["confirmed"])));
    expect(await limits()).toEqual([had - 9_000_000n, 47_000_000n]);
    expect(await spentToday()).toBe(6_000_000n);
  });
});

describe("an agent whose owner acts alone", () => {
  test("is paused until the sync, which carries the counters forward; failed payments are given back", async () => {
    const done = await pay(agentKey, stranger, "4");
    await withWorker(() => settled(done.operationId));
    const document = await agent.prepareMakeAvailable(30_000_000n);
    crash.beforeBroadcast = true;
    const lost = await pay(agentKey, stranger, "3");
    expect(await spentToday()).toBe(7_000_000n);
    await sendFromFaucet(CHAIN, documentCalldata(document));
    await indexNext(CHAIN);
    crash.beforeBroadcast = false;
    const [row] = await db().select().from(transfers).where(eq(transfers.id, lost.id));
    expect(row?.status).toBe("failed");
    await expect(pay(agentKey, stranger, "1")).rejects.toMatchObject({ code: "sync_required" });
    await expect(pay(ownerKey, agent, "1")).rejects.toMatchObject({ code: "sync_required" });
    await expect(pay(ownerKey, owner, "1", { from: agent })).rejects.toMatchObject({ code: "sync_required" });
    // Acts as the owner's client: takes the new opening from its own document, and the counters from the previous
    // state.
    const { available, asset_address } = await readLedger(agent.session, { asset: "USDG" });
    if (!available.past) throw new Error("no past state");
    const { scope, address, secret } = agent;
    const ref = { scope, account: address, asset: asset_address };
    const open = (commitment: string, encrypted: string) =>
      decryptAvailableState(secret, { ...ref, commitment: hexToCommitment(commitment) }, fromHex(encrypted));
    const { counters } = open(available.past.commitment, available.past.encrypted);
    expect(spentOnDay(counters, "UTC", new Date())).toBe(4_000_000n);
    const opening = open(document.new_available, document.next_state.encrypted);
    const commitment = hexToCommitment(document.new_available);
    const { encrypted, flag } = encryptAvailableState(secret, { ...ref, commitment }, { ...opening, counters });
    await syncBalance(agent.session, {
      asset: "USDG",
      commitment: document.new_available,
      encrypted: toHex(encrypted),
      flag: toHex(flag),
      secret_version: 1,
    });
    expect((await agent.decryptAvailable()).limit).toBe(30_000_000n);
    await expect(pay(agentKey, stranger, "6.000001")).rejects.toMatchObject({ reason: "daily_limit" });
    const rest = await pay(agentKey, stranger, "6");
    await withWorker(async () => expect(await settled(rest.operationId)).toEqual(["confirmed"]));
    expect(await spentToday()).toBe(10_000_000n);
  });
});
