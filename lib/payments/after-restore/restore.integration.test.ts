import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { db, type Tx } from "@/db/client";
import { accountNetworks } from "@/db/schema/accounts";
import { events } from "@/db/schema/events";
import { chainCursors } from "@/db/schema/ledger";
import { transfers } from "@/db/schema/transfers";
import { readLedger } from "@/lib/balances/read-ledger";
import { syncBalance } from "@/lib/balances/sync";
import type { KeyContext } from "@/lib/base/context/context";
import { finalBlock } from "@/lib/chain/index/cursor";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { approve } from "@/lib/payments/approve";
import { createTransfer } from "@/lib/payments/create-transfer";
import { paidTransfer } from "@/lib/payments/paid-transfer";
import { decryptFunds } from "@/sdk/account/funds/funds";
import { partyOf } from "@/sdk/account/party";
import { refund } from "@/sdk/payments/refunds/refund";
import { refundable } from "@/sdk/payments/refunds/refundable";
import { Agent } from "@/test/accounts/agent";
import { createApiKey } from "@/test/accounts/api-key";
import { Owner, settled } from "@/test/accounts/owner";
import { authenticated, type PostedTransfer, postTransfer } from "@/test/accounts/post-transfer";
import { whileLocked } from "@/test/accounts/while-locked";
import { type ArchivedPostgres, startArchivedPostgres } from "@/test/services/archived-postgres";
import { backUpDatabase, restoreDatabase } from "@/test/services/backup-database";
import { clientOf } from "@/test/services/in-process-service";
import { type LocalServices, startLocalServices } from "@/test/services/local-services";
import { withWorker } from "@/test/services/with-worker";
import { handOverTags } from "./hand-over-tags";
import { listWantedTags, toWantedTags } from "./list-wanted-tags";

const CHAIN = 46630;
let server: ArchivedPostgres;
let services: LocalServices;
let alice: Owner;
let bob: Owner;
let apiKey: string;

beforeAll(async () => {
  services = await startLocalServices(undefined, async () => {
    server = await startArchivedPostgres();
    return server;
  });
  await withWorker(async () => {
    [alice, bob] = await Promise.all([Owner.funded(CHAIN, 100_000_000n), Owner.create(CHAIN)]);
    await settled(await bob.enroll());
  });
  apiKey = (await createApiKey(alice)).text;
});

afterAll(() => services?.stop());

// Copies on the same server, which take no time. The first test uses the operators' commands.
const backUp = () => backUpDatabase(services.env);
const restore = () => restoreDatabase(services.env);

const body = (amount: string, confidential = true) => {
  return { to: `@${bob.account.handle}`, amount, asset: "USDG" as const, confidential };
};
type Sent = PostedTransfer;

const post = (idempotencyKey: string, sent: Sent | string, by = apiKey) =>
  postTransfer(by, idempotencyKey, typeof sent === "string" ? body(sent) : sent);

/** Reads the balance with the owner's client, which syncs what changed without the service. */
async function sync(agent?: string): Promise<void> {
  const context = await clientOf(alice.walletKey, services.env.RPC_URL_46630 ?? "");
  await decryptFunds(context, await partyOf(context, agent), await context.asset("USDG"));
}

/** Makes another block and waits until it is indexed. A mint's own receipt shows when it is final. */
async function indexedOn(): Promise<void> {
  await settled(await bob.mint("1"));
  const { number } = await finalBlock(CHAIN);
  const reached = async () => {
    const [cursor] = await db().select().from(chainCursors).where(eq(chainCursors.chainId, CHAIN));
    expect(cursor?.blockNumber).toBeGreaterThanOrEqual(number);
  };
  await vi.waitFor(reached, { timeout: 60_000, interval: 50 });
}

const received = async () => (await bob.openNotes()).map(({ amount }) => amount).sort();

// Ordered by a column that does not change: a rebuilt transfer gets the time of its block, in whole seconds.
const sent = () =>
  db().select().from(transfers).where(eq(transfers.payerId, alice.account.id)).orderBy(asc(transfers.txHash));

const refusal = { code: "sync_required" };

test("after an older backup is restored no request pays twice, and once the owner has synced a repeated one gets its transfer", async () => {
  // In the base copy, while it is made, in the archived log alone, and after the moment that is restored.
  const known = [await withWorker(() => post("before", "1"))];
  const [, meanwhile] = await Promise.all([server.backUp(), withWorker(() => post("meanwhile", "1"))]);
  known.push(meanwhile, await withWorker(() => post("logged", "1")));
  const moment = await server.moment();
  await withWorker(async () => {
    await post("invoice-1", "2");
    await post("invoice-2", body("3", false));
  });
  const before = await sent();
  const announced = (await db().select().from(events)).length;
  await server.restore(moment);
  expect((await sent()).map(({ id }) => id).sort()).toEqual(known.toSorted());

  await withWorker(async () => {
    // After another block. Until it is indexed, the database would still pay from the old available balance.
    await indexedOn();
    await expect(post("invoice-1", "2")).rejects.toMatchObject(refusal);
    await expect(createTransfer((await authenticated(apiKey)).context, body("4"))).rejects.toMatchObject(refusal);

    // The chain's part of the lost payments is restored; no event is repeated.
    const rebuilt = await sent();
    const shown = ({ memo, id, operationId, createdAt, confirmedAt, keyId, ...row }: (typeof before)[number]) => row;
    expect(rebuilt.map(shown)).toEqual(before.map(shown));
    expect(rebuilt.map(({ confirmedAt }) => confirmedAt)).not.toContain(null);
    const events2 = await db().select().from(events);
    expect(events2.length).toBeLessThan(announced);

    // Tags that a session submits without the account's secret let no key pay, and are deleted.
    const wanted = toWantedTags(await listWantedTags(alice.session, { limit: 100 })).payments;
    expect(wanted.map(({ account, known_by }) => [account, known_by]).sort()).toEqual(
      rebuilt
        .slice()
        .flatMap(({ note, paymentId, id }) => (known.includes(id) ? [] : [[alice.address, note ?? paymentId]]))
        .sort(),
    );
    const invented = wanted.map(({ transfer_id }) => {
      return { transfer_id, tag: toHex(randomBytes(16)), voucher: toHex(randomBytes(32)) };
    });
    expect(await handOverTags(bob.session, { tags: invented })).toEqual({ handedOver: 0 });
    expect((await listWantedTags(bob.session, { limit: 100 })).list).toEqual([]);
    expect(await handOverTags(alice.session, { tags: invented })).toEqual({ handedOver: 2 });
    await expect(post("invoice-1", "2")).rejects.toMatchObject(refusal);
    await expect(post("invoice-9", "2")).rejects.toMatchObject(refusal);

    // After the owner's client has synced, a repeated request gets its transfer, and a new one pays.
    await sync();
    expect((await listWantedTags(alice.session, { limit: 100 })).list).toEqual([]);
    const idOf = (confidential: boolean) =>
      rebuilt.find(({ id, kind }) => !known.includes(id) && (kind === "transfer") === confidential)?.id;
    await expect(post("invoice-2", "3")).rejects.toMatchObject({ code: "idempotency_mismatch" });
    expect(await post("invoice-1", "2")).toBe(idOf(true));
    expect(await post("invoice-1", "2")).toBe(idOf(true));
    await expect(post("invoice-1", "1")).rejects.toMatchObject({ code: "idempotency_mismatch" });
    expect(await post("invoice-2", body("3", false))).toBe(idOf(false));
    const again = [await post("before", "1"), await post("meanwhile", "1"), await post("logged", "1")];
    expect(again).toEqual(known);
    expect(await sent()).toHaveLength(5);
    await post("invoice-9", "1");

    // Without an idempotency key, the account can pay again.
    const { row } = paidTransfer(await createTransfer((await authenticated(apiKey)).context, body("4")));
    expect(await settled(row.operationId)).toEqual(["confirmed"]);
    await bob.untilReceived(4_000_000n);
    expect(await received()).toEqual([...Array(4).fill(1_000_000n), 2_000_000n, 4_000_000n]);
    expect((await alice.decryptAvailable()).limit).toBe(87_000_000n);
  });
});

test("requests that were paid together get their transfers again, each its own", async () => {
  const asked = ["pay-1", "pay-2", "pay-3", "pay-4"].map((name, index) => ({ name, amount: `0.${index + 1}` }));
  await backUp();
  const paid = await withWorker(async () => {
    const ended = await whileLocked(
      alice,
      asked.map(
        ({ name, amount }) =>
          () =>
            post(name, amount),
      ),
    );
    return ended.map((one) => (one.status === "fulfilled" ? one.value : one.reason));
  });
  const noteOf = async (id: string) => (await db().select().from(transfers).where(eq(transfers.id, id)))[0]?.note;
  const notes = await Promise.all(paid.map(noteOf));
  const [row] = await db().select().from(transfers).where(eq(transfers.id, paid[3]));
  expect(row?.batchIndex).not.toBeNull();
  await restore();
  await withWorker(async () => {
    await indexedOn();
    for (const { name, amount } of asked) await expect(post(name, amount)).rejects.toMatchObject(refusal);
    await sync();
    const left = (await alice.decryptAvailable()).limit;
    const again = [];
    for (const { name, amount } of asked) again.push(await noteOf(await post(name, amount)));
    expect(again).toEqual(notes);
    // A key that has not paid can pay; one that has can't make a different payment.
    const elsewhere = { ...body("0.1"), to: `@${alice.account.handle}` };
    await expect(post("pay-1", elsewhere)).rejects.toMatchObject({ code: "idempotency_mismatch" });
    expect((await alice.decryptAvailable()).limit).toBe(left);
    await post("pay-5", "0.5");
    expect((await alice.decryptAvailable()).limit).toBe(left - 500_000n);
  });
});

test("a request that was under way while payments were rebuilt pays nothing; a day later keys are taken again", async () => {
  const rule = (keysUnknownUntil: Date | null, at: Pick<Tx, "update"> = db()) => {
    const set = { keysUnknownUntil, rebuiltAt: new Date() };
    return at.update(accountNetworks).set(set).where(eq(accountNetworks.accountId, alice.account.id));
  };
  await rule(null);
  const before = await sent();
  const { context } = await authenticated(apiKey);
  const meanwhile: KeyContext = {
    ...context,
    idempotencyKey: "invoice-3",
    unwrap: async (tx) => {
      await rule(new Date(Date.now() + 60_000), tx);
      return context.unwrap(tx);
    },
  };
  await expect(createTransfer(meanwhile, body("5"))).rejects.toMatchObject(refusal);
  expect(await sent()).toEqual(before);
  await rule(new Date(Date.now() - 1));
  await withWorker(() => post("invoice-3", "5"));
  expect(await received()).toContain(5_000_000n);
});

test("a public payment that was approved after the backup is not approved again until it is known, and then refused", async () => {
  const agent = await withWorker(async () => {
    const funded = await Agent.create(alice, { hitlThreshold: 0n });
    await settled(funded.operationId);
    const { context } = await authenticated(apiKey);
    const fund = { ...body("10"), to: `@${funded.agent.account.handle}` };
    await settled(paidTransfer(await createTransfer(context, fund)).row.operationId);
    return funded.agent;
  });
  const asked = await createTransfer(await agent.key(), body("2", false));
  if (asked.outcome !== "held") throw new Error("this payment was not held");
  const approveIt = async () => approve((await authenticated(apiKey)).context, asked.held.id, {});
  const paid = () => db().select().from(transfers).where(eq(transfers.payerId, agent.account.id));
  await backUp();
  await withWorker(async () => {
    await approveIt();
    const [transfer] = await paid();
    expect(await settled(transfer?.operationId ?? "")).toEqual(["confirmed"]);
  });
  const { available } = await readLedger(agent.session, { asset: "USDG" });
  await restore();
  await withWorker(async () => {
    await indexedOn();
    const { newest_commitment: commitment, encrypted, flag } = available;
    if (!encrypted || !flag) throw new Error("no state");
    await syncBalance(agent.session, { asset: "USDG", commitment, encrypted, flag, secret_version: 1 });
    await expect(approveIt()).rejects.toMatchObject({ ...refusal, message: expect.stringMatching(/approve it with/) });
    await sync();
    await expect(approveIt()).rejects.toMatchObject({ code: "transaction_not_found" });
    expect(await paid()).toHaveLength(1);
  });
});

test("an agent's requests and those of its owner's key get their transfers; one text with two keys is refused", async () => {
  const [agent, agentKey] = await withWorker(async () => {
    const created = await Agent.create(alice);
    await settled(created.operationId);
    await post("fund", { ...body("10"), to: `@${created.agent.account.handle}` });
    return [created.agent, (await createApiKey(created.agent)).text];
  });
  const otherKey = (await createApiKey(alice)).text;
  const from = `@${agent.account.handle}`;
  const requests: [key: string, body: Sent, by?: string][] = [
    ["bot-1", body("1"), agentKey],
    ["from-1", { ...body("2"), from }],
    ["fund-1", { ...body("3"), to: from }],
  ];
  await backUp();
  const hashOf = async (id: string) => (await db().select().from(transfers).where(eq(transfers.id, id)))[0]?.txHash;
  const paid = await withWorker(async () => {
    const hashes: unknown[] = [];
    for (const request of requests) hashes.push(await hashOf(await post(...request)));
    await post("same", body("1.5"));
    await post("same", body("1.5"), otherKey);
    return hashes;
  });
  await restore();
  await withWorker(async () => {
    await indexedOn();
    for (const request of requests) await expect(post(...request)).rejects.toMatchObject(refusal);
    await sync();
    expect((await listWantedTags(alice.session, { limit: 100 })).list).toEqual([]);
    const balances = [(await alice.decryptAvailable()).limit, (await agent.decryptAvailable()).limit];
    await expect(post("from-1", body("2"))).rejects.toMatchObject({ code: "idempotency_mismatch" });
    const again: unknown[] = [];
    for (const request of requests) again.push(await hashOf(await post(...request)));
    expect(again).toEqual(paid);
    await expect(post("same", body("1.5"))).rejects.toMatchObject(refusal);
    expect([(await alice.decryptAvailable()).limit, (await agent.decryptAvailable()).limit]).toEqual(balances);
    await sync(from);
    await post("bot-2", body("1"), agentKey);
  });
});

test("a payment that was refunded after the backup is not refunded again: its rebuilt refund counts for each client", async () => {
  const paid = await withWorker(async () => {
    const buyer = await Owner.funded(CHAIN, 20_000_000n);
    const buying = (await createApiKey(buyer)).text;
    const pays = (amount: string) => postTransfer(buying, amount, { ...body(amount), to: `@${alice.account.handle}` });
    return { first: await pays("5"), partly: await pays("4") };
  });
  const refunded = async (idempotencyKey: string, refund_of: string, amount: string, counted?: number) => {
    const { context } = await authenticated(apiKey);
    const asked = { refund_of, amount, asset: "USDG" as const, confidential: true, refunds_counted: counted };
    return paidTransfer(await createTransfer({ ...context, idempotencyKey }, asked)).row;
  };
  await backUp();
  const before = await withWorker(async () => {
    const row = await refunded("refund-1", paid.first, "5");
    expect(await settled(row.operationId)).toEqual(["confirmed"]);
    return row;
  });
  await restore();
  await withWorker(async () => {
    await indexedOn();
    await sync();
    const client = await clientOf(alice.walletKey, services.env.RPC_URL_46630 ?? "");
    const withKey = await clientOf(alice.walletKey, services.env.RPC_URL_46630 ?? "", { apiKey });
    const { length } = await sent();
    const conflict = { code: "refund_conflict", param: "refunds_counted" };
    await expect(refunded("refund-2", paid.first, "5")).rejects.toMatchObject(conflict);
    await expect(refunded("refund-2", paid.first, "5", 0)).rejects.toMatchObject(conflict);
    expect(await refundable(client, paid.first)).toMatchObject({ refunded: "5", left: "0", refunds_counted: 1 });
    for (const [context, input] of [
      [client, {}],
      [withKey, { idempotencyKey: "refund-3" }],
      [withKey, { idempotencyKey: "refund-4", amount: "1" }],
    ] as const)
      await expect(refund(context, paid.first, input)).rejects.toMatchObject({ code: "refund_not_possible" });
    expect(await sent()).toHaveLength(length);

    // The same key gets the rebuilt refund, and a client that has counted it refunds what is left of another payment.
    expect(await refunded("refund-1", paid.first, "5")).toMatchObject({ note: before.note, refundOf: null });
    await expect(refunded("refund-5", paid.partly, "1")).rejects.toMatchObject(conflict);
    expect(await refunded("refund-5", paid.partly, "1", 1)).toMatchObject({ refundOf: paid.partly });
    expect(await sent()).toHaveLength(length + 1);
  });
});

test("what a key paid from an agent that the backup lacks is not paid again from the agent that follows it", async () => {
  const created = async (name?: string) => {
    const { agent, operationId } = await Agent.create(alice, {}, name);
    await settled(operationId);
    const { context } = await authenticated(apiKey);
    const fund = { ...body("5"), to: `@${agent.account.handle}` };
    await settled(paidTransfer(await createTransfer(context, fund)).row.operationId);
    return agent;
  };
  const earlier = await withWorker(() => created());
  const earlierKey = (await createApiKey(earlier)).text;
  await backUp();
  const { handle } = await withWorker(async () => {
    const { account } = await created();
    await post("bot-pays", { ...body("1.25"), from: `@${account.handle}` });
    return account;
  });
  await restore();
  await withWorker(async () => {
    await indexedOn();
    await sync();
    const again = await created(handle.split("/")[1]);
    expect(again.account.handle).toBe(handle);
    await sync();
    expect((await listWantedTags(alice.session, { limit: 100 })).list).toEqual([]);
    const request = { ...body("1.25"), from: `@${handle}` };
    await expect(post("bot-pays", request)).rejects.toMatchObject(refusal);
    await expect(post("bot-pays", body("1.25"), (await createApiKey(again)).text)).rejects.toMatchObject(refusal);
    await post("earlier-pays", body("0.75"), earlierKey);
    const notes = await received();
    expect(notes.filter((amount) => amount === 1_250_000n)).toHaveLength(1);
    expect(notes).toContain(750_000n);
  });
});
