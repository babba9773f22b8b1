import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { and, asc, eq, isNotNull } from "drizzle-orm";
import type { Hex } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db } from "@/db/client";
import { ledgerAccounts } from "@/db/schema/accounts";
import { operations } from "@/db/schema/chain";
import { events } from "@/db/schema/events";
import { availableCommitments, depositedBalances, notes } from "@/db/schema/ledger";
import { transfers } from "@/db/schema/transfers";
import { verifyIdentity } from "@/lib/accounts/kyc/verify-identity";
import { releaseBalanceLock, takeBalanceLock } from "@/lib/balances/balance-lock";
import { makeAvailable } from "@/lib/balances/make-available";
import { readBalances } from "@/lib/balances/proven/read-balances";
import { assetBySymbol } from "@/lib/base/assets";
import { waitChainLock } from "@/lib/chain/advisory-lock";
import { finalBlock } from "@/lib/chain/index/cursor";
import { getOperation } from "@/lib/chain/operations/get-operation";
import { listPendingOperations } from "@/lib/chain/operations/list-pending-operations";
import { derivePaymentKey } from "@/lib/ledger/crypto/keys";
import { makeDecryptionProof } from "@/lib/ledger/decryption-proof";
import { decodeDecryptionProof } from "@/lib/ledger/decryption-proof-document";
import { encodeDecryptionProof } from "@/lib/ledger/encode-decryption-proof";
import type { SignedTransfer } from "@/lib/ledger/prepare/documents";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { completePlan } from "@/lib/ledger/prepare/plan";
import { planTransfer } from "@/lib/ledger/prepare/plan-transfer";
import { processProver } from "@/lib/prover/process-prover";
import { indexNext } from "@/lib/settlement/index-next";
import { rebuildIndex } from "@/lib/settlement/rebuild-index";
import { program } from "@/scripts/stack/program";
import { keepLock } from "@/test/accounts/keep-lock";
import { Owner, settled } from "@/test/accounts/owner";
import { inAnotherRequest } from "@/test/services/elsewhere";
import { startWorkingServices } from "@/test/services/working-services";
import { createTransfer } from "./create-transfer";
import { getOwnTransfer } from "./get-own-transfer";
import { getTransfer } from "./get-transfer";
import { paidTransfer } from "./paid-transfer";

const CHAIN = 46630;
const FUNDS = 1_000_000_000n;
let services: Awaited<ReturnType<typeof startWorkingServices>>;
let payer: Owner;
let recipient: Owner;

beforeAll(async () => {
  services = await startWorkingServices();
  [payer, recipient] = await Promise.all([Owner.funded(CHAIN, FUNDS), Owner.create(CHAIN)]);
  await settled(await recipient.enroll());
  await Promise.all([payer, recipient].map(({ session }) => verifyIdentity(session, {})));
});

afterAll(() => services?.stop());

const to = () => `@${recipient.account.handle}`;
const plain = (amount: string) => ({ to: to(), amount, asset: "USDG" as const, confidential: true });

/** Returns everything that a refused request must not change. */
async function everything() {
  const [available, sent, submitted] = await Promise.all([
    payer.decryptAvailable(),
    db().select().from(transfers).where(eq(transfers.payerId, payer.account.id)),
    db().select({ id: operations.id }).from(operations).where(eq(operations.account, payer.address)),
  ]);
  return { available, sent: sent.length, submitted: submitted.length };
}

describe("a plain payment", () => {
  test("becomes confirmed, sends both sides an event, and only its recipient decrypts the amount", async () => {
    const { row } = paidTransfer(await createTransfer(await payer.key(), { ...plain("25"), memo: "for lunch" }));
    expect(row.status).toBe("pending");
    expect(await settled(row.operationId)).toEqual(["confirmed"]);
    await recipient.untilReceived(25_000_000n);
    const ofRecipient = eq(events.accountId, recipient.account.id);
    const announced = await db().select().from(events).where(ofRecipient).orderBy(events.id);
    expect(announced.map(({ type }) => type)).toEqual(["transfer.initiated", "transfer.confirmed"]);
    const seen = await getTransfer(await recipient.key(), row.id);
    expect(seen).toMatchObject({ direction: "received", payerHandle: payer.account.handle });
    expect(new Date(seen.row.confirmedAt ?? "").getTime()).toBeGreaterThan(0);
    const { timeline } = await getOwnTransfer(payer.session, row.id);
    expect(timeline).toMatchObject({
      ...{ broadcastAt: expect.any(Date), mined: { block: expect.anything() }, finalAt: expect.any(Date) },
      ...{ failedAt: null, failure: null },
    });
    // Its operation is the payer's to follow.
    const walletOf = ({ address, session }: Owner) => ({ ...session, actor: "wallet", address }) as const;
    expect(await getOperation(walletOf(payer), row.operationId)).toMatchObject({ status: "confirmed" });
    await expect(getOperation(walletOf(recipient), row.operationId)).rejects.toMatchObject({ code: "not_found" });
  });

  test("is refused over the available balance, to oneself, to strangers and to no one, and nothing changes", async () => {
    const before = await everything();
    const key = await payer.key();
    const refused = (input: Partial<ReturnType<typeof plain>>) => createTransfer(key, { ...plain("1"), ...input });
    await expect(refused({ amount: "100000" })).rejects.toMatchObject({ code: "insufficient_balance" });
    await expect(refused({ to: `@${payer.account.handle}` })).rejects.toMatchObject({ code: "invalid_request" });
    await expect(refused({ to: payer.address })).rejects.toMatchObject({ code: "invalid_request" });
    await expect(refused({ to: `0x${"12".repeat(20)}` })).rejects.toMatchObject({
      code: "recipient_not_confidential_ready",
    });
    await expect(refused({ to: "@nobody-has-this" })).rejects.toMatchObject({ code: "recipient_not_found" });
    expect(await everything()).toEqual(before);
  });

  test("may be public: the amount reaches an address that never enrolled", async () => {
    const stranger = `0x${"34".repeat(20)}` as const;
    const input = { ...plain("3.5"), to: stranger, confidential: false };
    const { row } = paidTransfer(await createTransfer(await payer.key(), input));
    expect(await settled(row.operationId)).toEqual(["confirmed"]);
    expect(row).toMatchObject({ kind: "release", recipientAddress: stranger });
  });
});

describe("payments of one account at once", () => {
  test("20 all confirm and add up, with a second worker killed in the middle", async () => {
    const before = (await payer.decryptAvailable()).limit;
    const received = async () => (await recipient.openNotes()).reduce((sum, { amount }) => sum + amount, 0n);
    const had = await received();
    const env = { ...process.env, NODE_OPTIONS: "" };
    const second = spawn(process.execPath, [await program("lib/worker/worker.ts")], { env, stdio: "ignore" });
    try {
      const key = await payer.key();
      const paid = Array.from({ length: 20 }, (_, i) => createTransfer(key, plain(String(i + 1))));
      setTimeout(() => second.kill("SIGKILL"), 1_500);
      const rows = (await Promise.all(paid)).map((created) => paidTransfer(created).row);
      expect(new Set(await settled(...rows.map(({ operationId }) => operationId)))).toEqual(new Set(["confirmed"]));
    } finally {
      second.kill("SIGKILL");
    }
    expect((await payer.decryptAvailable()).limit).toBe(before - 210_000_000n);
    await expect.poll(async () => (await received()) - had).toBe(210_000_000n);
  });
});

/** Returns a value of the same length that is neither a valid proof nor a valid signature. */
const unproven = (hex: Hex): Hex => `0x${"11".repeat(hex.length / 2 - 1)}`;

describe("a client-signed payment", () => {
  const prepare = async (amount: bigint): Promise<SignedTransfer> => {
    const prover = await processProver();
    const plan = await planTransfer({
      scope: payer.scope,
      account: payer.address,
      to: recipient.address,
      asset: assetBySymbol(CHAIN).address,
      available: await payer.decryptAvailable(),
      amount,
      deadline: BigInt(Math.floor(Date.now() / 1000) + 3_600),
      payerViewingKey: payer.viewing.publicKey,
      recipientViewingKey: recipient.viewing.publicKey,
      secret: payer.secret,
      policyVersion: 0n,
    });
    const { privateKey } = derivePaymentKey(payer.authority, payer.scope);
    return completePlan(plan, (circuit, input) => prover.prove(circuit, input), keySigner(privateKey));
  };
  const send = (signed: SignedTransfer, at = to(), lock_token?: string) =>
    createTransfer(payer.session, {
      to: at,
      asset: "USDG",
      confidential: true,
      client_signed: signed,
      lock_token,
    }).then(paidTransfer);

  test("is relayed and recorded as any other; a second one on the same state is out of date", async () => {
    const [first, second] = [await prepare(11_000_000n), await prepare(12_000_000n)];
    const { row } = await send(first);
    await expect(send(second)).rejects.toMatchObject({ code: "available_balance_changed" });
    // A spent or outdated state is recognized by its commitment, so its proof is not even verified.
    for (const stale of [first, second]) {
      const refused = send({ ...stale, proof: unproven(stale.proof), signature: unproven(stale.signature) });
      await expect(refused).rejects.toMatchObject({ code: "available_balance_changed" });
    }
    expect(await settled(row.operationId)).toEqual(["confirmed"]);
    expect(row).toMatchObject({ clientSigned: true, keyId: null });
    await recipient.untilReceived(11_000_000n);
  });

  test("under a balance lock goes before the plain payments that wait for it to end", async () => {
    const key = await payer.key();
    const { token } = await takeBalanceLock(payer.session, { asset: "USDG" });
    await keepLock(token);
    let paid = false;
    const waiting = createTransfer(key, plain("1")).finally(() => {
      paid = true;
    });
    await sleep(300);
    const { row } = await send(await prepare(13_000_000n), to(), token);
    expect(paid).toBe(false);
    await releaseBalanceLock(payer.session, { asset: "USDG" });
    const later = paidTransfer(await waiting);
    expect(await settled(row.operationId, later.row.operationId)).toEqual(["confirmed", "confirmed"]);
  });

  test("is refused when any of it was changed, and nothing changes", async () => {
    const document = await prepare(1_000_000n);
    const before = await everything();
    const other = (await prepare(2_000_000n)) satisfies SignedTransfer;
    const tampered: Partial<SignedTransfer>[] = [
      { note: other.note },
      { new_available: other.new_available },
      { proof: other.proof },
      { signature: other.signature },
      { deadline: (BigInt(document.deadline) + 1n).toString() },
      { recipient_ciphertext: other.recipient_ciphertext },
      { payer_ciphertext: other.payer_ciphertext },
    ];
    for (const change of tampered) {
      await expect(send({ ...document, ...change })).rejects.toMatchObject({ code: "invalid_request" });
    }
    await expect(send(document, `@${payer.account.handle}`)).rejects.toMatchObject({ code: "invalid_request" });
    expect(await everything()).toEqual(before);
  });

  test("is refused with the remedy once its payment key has expired, and nothing is sent", async () => {
    const document = await prepare(1_000_000n);
    const at = and(eq(ledgerAccounts.chainId, CHAIN), eq(ledgerAccounts.address, payer.address));
    const until = (seconds: bigint) => db().update(ledgerAccounts).set({ until: seconds }).where(at);
    const [record] = await db().select().from(ledgerAccounts).where(at);
    const before = await everything();
    await until(BigInt(Math.floor(Date.now() / 1000) - 1));
    await expect(send(document)).rejects.toMatchObject({
      code: "key_forbidden",
      message: expect.stringContaining("renew-payment-key"),
    });
    expect(await everything()).toEqual(before);
    await until(record?.until ?? 0n);
    const { row } = await send(document);
    expect(await settled(row.operationId)).toEqual(["confirmed"]);
  });
});

describe("a move to the available balance", () => {
  test("turns received notes into available balance; under a balance lock payments wait and others' documents are out of date", async () => {
    const key = await recipient.key();
    const stale = await recipient.prepareMakeAvailable();
    const lock = await takeBalanceLock(recipient.session, { asset: "USDG" });
    await keepLock(lock.token);
    await expect(makeAvailable(recipient.session, { client_signed: stale })).rejects.toMatchObject({
      code: "available_balance_changed",
    });
    await expect(takeBalanceLock(recipient.session, { asset: "USDG" })).rejects.toMatchObject({ code: "rate_limited" });
    let paid = false;
    const waiting = createTransfer(key, { ...plain("1"), to: `@${payer.account.handle}` }).finally(() => {
      paid = true;
    });
    await sleep(600);
    expect(paid).toBe(false);
    const { id } = await makeAvailable(recipient.session, { client_signed: stale, lock_token: lock.token });
    const { row } = paidTransfer(await waiting);
    expect(await settled(id, row.operationId)).toEqual(["confirmed", "confirmed"]);
    await expect(makeAvailable(recipient.session, { client_signed: stale })).rejects.toMatchObject({
      code: "available_balance_changed",
    });
    expect((await recipient.decryptAvailable()).limit).toBeGreaterThan(0n);
  });

  test("makes the available balance smaller: the rest comes back as a note; under way, its account alone sees it", async () => {
    const sum = async () => (await recipient.openNotes()).reduce((units, { amount }) => units + amount, 0n);
    const [{ limit }, before] = [await recipient.decryptAvailable(), await sum()];
    const id = await db().transaction(async (tx) => {
      // Nothing settles in the meantime.
      await waitChainLock(tx, "index", CHAIN);
      return inAnotherRequest(async () => {
        const operationId = await recipient.makeAvailable(limit - 1_000_000n);
        const pending = { id: operationId, kind: "make_available", status: "pending", agent: null };
        expect(await listPendingOperations(recipient.session)).toMatchObject([pending]);
        expect(await listPendingOperations(payer.session)).toEqual([]);
        return operationId;
      });
    });
    expect(await settled(id)).toEqual(["confirmed"]);
    expect(await listPendingOperations(recipient.session)).toEqual([]);
    expect((await recipient.decryptAvailable()).limit).toBe(limit - 1_000_000n);
    expect(await sum()).toBe(before + 1_000_000n);
  });
});

describe("balances", () => {
  test("without a proof say only what is above zero; a proof shows the amount; a stale one is refused", async () => {
    const key = await recipient.key();
    expect(await readBalances(key, {})).toEqual({ balances: [{ asset: "USDG", above_zero: true }] });
    const prover = await processProver();
    const opened = { notes: await recipient.openNotes(), available: await recipient.decryptAvailable() };
    const { number } = await finalBlock(CHAIN);
    const decryption_proof = await makeDecryptionProof(
      {
        scope: recipient.scope,
        account: recipient.address,
        block: number,
        issuedAt: BigInt(Math.floor(Date.now() / 1000)),
        assets: [{ asset: assetBySymbol(CHAIN).address, ...opened }],
      },
      (circuit, input) => prover.prove(circuit, input),
    );
    const total = opened.notes.reduce((sum, { amount }) => sum + amount, opened.available.limit);
    const shown = { asset: "USDG", amount: String(Number(total) / 1_000_000) };
    expect(await readBalances(key, { decryption_proof })).toEqual({ balances: [shown], undecrypted_notes: 0 });
    await expect(readBalances(await payer.key(), { decryption_proof })).rejects.toMatchObject({
      code: "decryption_proof_invalid",
    });
    // Leaving out an available balance would make the total too small, without any sign in the response.
    const document = decodeDecryptionProof(decryption_proof);
    const wrong = [
      encodeDecryptionProof({ ...document, proofs: [] }),
      encodeDecryptionProof({ ...document, issued_at: `${Number(document.issued_at) - 1}` }),
      encodeDecryptionProof({ ...document, issued_at: `${Number(document.issued_at) - 601}` }),
      ...[decryption_proof.slice(0, -8), "", "%%%"],
    ];
    for (const text of wrong) {
      const refused = { code: "decryption_proof_invalid" };
      await expect(readBalances(key, { decryption_proof: text })).rejects.toMatchObject(refused);
    }
    for (const ahead of [-3_600, 3_600]) {
      const issued_at = String(Math.floor(Date.now() / 1000) + ahead);
      const odd = encodeDecryptionProof({ ...decodeDecryptionProof(decryption_proof), issued_at });
      await expect(readBalances(key, { decryption_proof: odd })).rejects.toMatchObject({
        code: "decryption_proof_invalid",
        publicMessage: expect.stringContaining("by the service's clock it is"),
      });
    }
    const { row } = paidTransfer(await createTransfer(key, { ...plain("1"), to: `@${payer.account.handle}` }));
    await settled(row.operationId);
    await expect(readBalances(key, { decryption_proof })).rejects.toMatchObject({ code: "decryption_proof_invalid" });
  });
});

describe("the index", () => {
  test("rebuilt from the chain is what it was", async () => {
    const snapshot = async () => ({
      notes: await db().select().from(notes).orderBy(asc(notes.blockNumber), asc(notes.logIndex)),
      depositedBalances: await db()
        .select()
        .from(depositedBalances)
        .orderBy(asc(depositedBalances.account), asc(depositedBalances.asset)),
      commitments: await db()
        .select()
        .from(availableCommitments)
        .orderBy(asc(availableCommitments.account), asc(availableCommitments.asset)),
      records: await db().select().from(ledgerAccounts).orderBy(asc(ledgerAccounts.address)),
      announced: await db().select().from(events).where(isNotNull(events.source)).orderBy(asc(events.id)),
    });
    const limit = (await payer.decryptAvailable()).limit;
    // Nothing else indexes in the meantime.
    const before = await services.withoutWorker(async () => {
      await indexNext(CHAIN);
      const shown = await snapshot();
      await db().transaction(async (tx) => {
        await waitChainLock(tx, "index", CHAIN);
        await rebuildIndex(tx, CHAIN, await finalBlock(CHAIN));
      });
      expect(await snapshot()).toEqual(shown);
      return shown;
    });
    expect(before.notes.length).toBeGreaterThan(20);
    const ids = [payer.account.id, recipient.account.id];
    const announced = before.announced.filter(({ accountId }) => ids.includes(accountId));
    expect(new Set(announced.map(({ type }) => type))).toEqual(
      new Set(["deposit.confirmed", "balance.made_available"]),
    );
    expect((await payer.decryptAvailable()).limit).toBe(limit);
  });
});
