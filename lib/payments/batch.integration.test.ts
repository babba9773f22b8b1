import { and, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { db } from "@/db/client";
import { operations } from "@/db/schema/chain";
import { events } from "@/db/schema/events";
import { transfers } from "@/db/schema/transfers";
import { assetBySymbol } from "@/lib/base/assets";
import type { KeyContext } from "@/lib/base/context/context";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { hexToCommitment } from "@/lib/ledger/crypto/field";
import { derivePaymentKey } from "@/lib/ledger/crypto/keys";
import { decryptBatchCopy, noteOfBatch } from "@/lib/ledger/encrypted/batch-copy";
import type { SignedTransferMany } from "@/lib/ledger/prepare/documents";
import { planTransferMany } from "@/lib/ledger/prepare/plan-transfer-many";
import { processProver } from "@/lib/prover/process-prover";
import { Agent } from "@/test/accounts/agent";
import { Owner, settled } from "@/test/accounts/owner";
import { payMany } from "@/test/accounts/pay-many";
import { complete, type Party, requestOf, termsOf } from "@/test/accounts/prepare-spend";
import { crash } from "@/test/chain/crash";
import { type LocalServices, startLocalServices } from "@/test/services/local-services";
import { withWorker } from "@/test/services/with-worker";
import { createClientSignedBatch } from "./create-client-signed-batch";
import { createTransfer } from "./create-transfer";
import { paidTransfer } from "./paid-transfer";

const CHAIN = 46630;
let services: LocalServices;
let payer: Owner;
let key: KeyContext;
let recipients: Owner[];
let agent: Agent;
/** An account without keys on the ledger. */
let outsider: Owner;

beforeAll(async () => {
  services = await startLocalServices();
  await withWorker(async () => {
    payer = await Owner.funded(CHAIN, 500_000_000n);
    recipients = [await Owner.create(CHAIN), await Owner.create(CHAIN), await Owner.create(CHAIN)];
    await settled(...(await Promise.all(recipients.map((one) => one.enroll()))));
    const created = await Agent.create(payer);
    agent = created.agent;
    key = await payer.key();
    const input = { to: `@${agent.account.handle}`, amount: "50", asset: "USDG", confidential: true } as const;
    const { row } = paidTransfer(await createTransfer(key, input));
    await settled(created.operationId, row.operationId);
  });
  outsider = await Owner.create(CHAIN);
});

afterAll(() => services?.stop());

beforeEach(() => {
  crash.beforeBroadcast = false;
});

interface Planned {
  to: Owner;
  amount: bigint;
}

/** Sixteen payments of 1 to 16 USDG, to three recipients in turn; the last equals the one before it. */
function sixteen(): Planned[] {
  const list = Array.from({ length: 16 }, (_, index) => ({
    to: recipients[index % 3] as Owner,
    amount: BigInt(index + 1) * 1_000_000n,
  }));
  return [...list.slice(0, 15), ...list.slice(14, 15)];
}

const total = (list: readonly Planned[]) => list.reduce((sum, { amount }) => sum + amount, 0n);
const asKey = (list: readonly Planned[]) =>
  list.map(({ to, amount }) => ({ to: `@${to.account.handle}`, amount: String(amount / 1_000_000n) }));
const named = (list: readonly Planned[]) => list.map(({ to }) => ({ to: `@${to.account.handle}` }));
const paymentKey = () => derivePaymentKey(payer.authority, payer.scope).privateKey;

/** Prepares a batch like its owner's client. */
async function prepare(from: Party, list: readonly Planned[], signer = paymentKey()): Promise<SignedTransferMany> {
  const { to: _to, amount: _amount, ...request } = await requestOf(from, payer, 1n);
  const { policyVersion } = from instanceof Agent ? await termsOf(from, 2) : { policyVersion: 0n };
  const payments = list.map(({ to, amount }) => ({
    to: to.address,
    amount,
    recipientViewingKey: to.viewing.publicKey,
    memo: "salary",
  }));
  return complete(await planTransferMany({ ...request, policyVersion, payments }), signer);
}

const send = (from: Party, list: readonly Planned[], signed: SignedTransferMany) =>
  createClientSignedBatch(from.session, { asset: "USDG", payments: named(list), client_signed: signed });

/** Returns everything that a refused batch must not change. */
async function everything() {
  const ours = [payer, agent];
  return [
    (await payer.decryptAvailable()).limit,
    (await agent.decryptAvailable()).limit,
    await db().$count(
      transfers,
      inArray(
        transfers.payerId,
        ours.map(({ account }) => account.id),
      ),
    ),
    await db().$count(
      operations,
      inArray(
        operations.account,
        ours.map(({ address }) => address),
      ),
    ),
  ];
}

const amountsOf = async (owner: Owner) => (await owner.openNotes()).map(({ amount }) => amount);
const sorted = (amounts: bigint[]) => amounts.sort((a, b) => (a < b ? -1 : 1));

/** Runs `work` and returns how many proofs were made and verified in the meantime. */
async function countingProofs(work: () => Promise<unknown>): Promise<number> {
  const prover = await processProver();
  const spies = (["prove", "verify", "proveAndVerify"] as const).map((method) => vi.spyOn(prover, method));
  try {
    await work();
    return spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

describe("sixteen payments in one proof", () => {
  test("by the client: one operation, a transfer and its events of each, and each recipient opens its own", async () => {
    const list = sixteen();
    const before = await payer.decryptAvailable();
    const document = await prepare(payer, list);
    const views = await withWorker(async () => {
      const batch = await send(payer, list, document);
      expect(await settled(batch[0]?.row.operationId ?? "")).toEqual(["confirmed"]);
      return batch;
    });
    const [first] = views;
    if (!first) throw new Error("nothing was paid");
    const rows = await db().select().from(transfers).where(eq(transfers.operationId, first.row.operationId));
    expect(rows).toHaveLength(16);
    expect(new Set(rows.map(({ status, txHash, kind }) => `${status} ${txHash} ${kind}`)).size).toBe(1);
    expect(views.map(({ row }) => [row.batchIndex, row.recipientAddress])).toEqual(
      list.map(({ to }, index) => [index, to.address]),
    );
    expect((await payer.decryptAvailable()).limit).toBe(before.limit - total(list));
    for (const to of recipients) {
      const mine = list.flatMap((one) => (one.to === to ? [one.amount] : []));
      expect(sorted(await amountsOf(to))).toEqual(sorted(mine));
    }
    // The payer's copy decrypts to every amount; each is matched by the note computed from it.
    const asset = assetBySymbol(CHAIN).address;
    const ref = {
      scope: payer.scope,
      account: payer.address,
      asset,
      commitment: hexToCommitment(document.new_available),
    };
    const copy = await decryptBatchCopy(payer.viewing.secret, ref, fromHex(document.payer_ciphertext));
    if (!copy) throw new Error("the copy does not open");
    const opened = views.map(({ row }, index) =>
      noteOfBatch(
        copy,
        { ...ref, account: row.recipientAddress, commitment: hexToCommitment(row.note ?? "0x") },
        index,
      ),
    );
    expect(opened.map((note) => note?.amount)).toEqual(list.map(({ amount }) => amount));
    const ids = rows.map(({ id }) => id);
    const announced = (await db().select().from(events)).filter(({ payload }) =>
      ids.includes(`${payload.transfer_id}`),
    );
    expect(announced).toHaveLength(4 * 16);
  });

  test("by the service: with the account's key, also after a crash, once", async () => {
    const list = sixteen();
    const [before, had] = [await payer.decryptAvailable(), await Promise.all(recipients.map(amountsOf))];
    crash.beforeBroadcast = true;
    const views = await payMany(key, { payments: asKey(list) });
    crash.beforeBroadcast = false;
    expect(views).toHaveLength(16);
    const [{ row } = paidNothing()] = views;
    expect(row.keyId).toBe(key.keyId);
    // A later payment builds on it.
    const input = { to: `@${recipients[0]?.account.handle}`, amount: "1", asset: "USDG", confidential: true } as const;
    const after = paidTransfer(await createTransfer(key, input));
    await withWorker(async () =>
      expect(await settled(row.operationId, after.row.operationId)).toEqual(["confirmed", "confirmed"]),
    );
    expect((await payer.decryptAvailable()).limit).toBe(before.limit - total(list) - 1_000_000n);
    const got = await Promise.all(recipients.map(amountsOf));
    expect(got.flat().length - had.flat().length).toBe(17);
  });

  test("with one recipient that can't be paid are refused, naming it, before anything is proved", async () => {
    const list = sixteen();
    const broken = list.with(7, { to: outsider, amount: 1_000_000n });
    const refused = { code: "recipient_not_confidential_ready", param: "payments.7.to" };
    const before = await everything();
    const byService = () => expect(payMany(key, { payments: asKey(broken) })).rejects.toMatchObject(refused);
    expect(await countingProofs(byService)).toBe(0);
    const document = await prepare(payer, broken);
    const byClient = () => expect(send(payer, broken, document)).rejects.toMatchObject(refused);
    expect(await countingProofs(byClient)).toBe(0);
    const unknown = asKey(list).with(3, { to: "@nobody-here", amount: "1" });
    await expect(payMany(key, { payments: unknown })).rejects.toMatchObject({
      code: "recipient_not_found",
      param: "payments.3.to",
    });
    const toAgent = asKey(list).with(2, { to: `@${agent.account.handle}`, amount: "1" });
    await expect(payMany(key, { payments: toAgent })).rejects.toMatchObject({ param: "payments.2.to" });
    expect(await everything()).toEqual(before);
  });

  test("are all made or none: beyond the available balance nothing is, and a crash before the commit leaves nothing", async () => {
    const before = await everything();
    const list = sixteen().with(4, { to: recipients[0] as Owner, amount: 10_000_000_000n });
    await expect(payMany(key, { payments: asKey(list) })).rejects.toMatchObject({ code: "insufficient_balance" });
    const dies = payMany(key, { payments: asKey(sixteen()) }, async () => {
      throw new Error("the process dies");
    });
    await expect(dies).rejects.toThrow("the process dies");
    expect(await everything()).toEqual(before);
  });
});

describe("a client-signed batch", () => {
  const two = () => sixteen().slice(0, 2);

  test("is refused when any of it was changed or it names others, and a second one on the same state is out of date", async () => {
    const [document, other] = [await prepare(payer, two()), await prepare(payer, sixteen().slice(2, 5))];
    const before = await everything();
    const [first, second] = document.payments;
    if (!first || !second) throw new Error("two payments");
    const tampered: Partial<SignedTransferMany>[] = [
      { payments: [{ ...first, note: second.note }, second] },
      { payments: [first, { ...second, recipient_ciphertext: first.recipient_ciphertext }] },
      { payments: [first, first] },
      { new_available: other.new_available },
      { payer_ciphertext: other.payer_ciphertext },
      { policy_version: "1" },
      { proof: other.proof },
      { signature: other.signature },
    ];
    for (const change of tampered) {
      await expect(send(payer, two(), { ...document, ...change })).rejects.toMatchObject({ code: "invalid_request" });
    }
    await expect(send(payer, two().reverse(), document)).rejects.toMatchObject({
      param: "client_signed.payments.0.to",
    });
    await expect(send(payer, sixteen().slice(0, 3), document)).rejects.toMatchObject({ param: "payments" });
    expect(await everything()).toEqual(before);
    await withWorker(async () => {
      const [paid] = await send(payer, two(), document);
      await expect(send(payer, sixteen().slice(2, 5), other)).rejects.toMatchObject({
        code: "available_balance_changed",
      });
      await expect(send(payer, two(), document)).rejects.toMatchObject({ code: "available_balance_changed" });
      expect(await settled(paid?.row.operationId ?? "")).toEqual(["confirmed"]);
    });
  });

  test("of an agent is its owner's wallet's alone, and keeps to the agent's recipients; no key makes one", async () => {
    const agentKey = await agent.key();
    await expect(payMany(agentKey, { payments: asKey(two()) })).rejects.toMatchObject({ code: "key_forbidden" });
    for (const signer of [paymentKey(), agent.ownKey]) {
      const refused = send(agent, two(), await prepare(agent, two(), signer));
      await expect(refused).rejects.toMatchObject({ param: "client_signed.signature" });
    }
    const before = (await agent.decryptAvailable()).limit;
    const document = await prepare(agent, two(), payer.walletKey);
    await withWorker(async () => {
      const [paid] = await send(agent, two(), document);
      expect(await settled(paid?.row.operationId ?? "")).toEqual(["confirmed"]);
    });
    expect((await agent.decryptAvailable()).limit).toBe(before - total(two()));
  });
});

test("every payment that was made is confirmed, none is made twice", async () => {
  const rows = await db()
    .select()
    .from(transfers)
    .where(and(inArray(transfers.payerId, [payer.account.id, agent.account.id]), eq(transfers.kind, "transfer")));
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(["confirmed"]));
  expect(new Set(rows.map(({ note }) => note)).size).toBe(rows.length);
});

function paidNothing(): never {
  throw new Error("nothing was paid");
}
