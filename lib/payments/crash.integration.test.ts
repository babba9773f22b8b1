import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, ne, sum } from "drizzle-orm";
import type { Address } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { db } from "@/db/client";
import { operations, outgoingTransactions, relayers } from "@/db/schema/chain";
import { events } from "@/db/schema/events";
import { availableStates } from "@/db/schema/ledger";
import { transfers } from "@/db/schema/transfers";
import { readLedger } from "@/lib/balances/read-ledger";
import { syncBalance } from "@/lib/balances/sync";
import type { KeyContext } from "@/lib/base/context/context";
import { waitChainLock } from "@/lib/chain/advisory-lock";
import { sendRaw } from "@/lib/chain/broadcast";
import { publicClient } from "@/lib/chain/clients";
import { documentCalldata } from "@/lib/chain/document-calldata";
import { currentFees } from "@/lib/chain/fees";
import { finalBlock } from "@/lib/chain/index/cursor";
import { relayerAccount } from "@/lib/chain/relayer";
import { signTransaction } from "@/lib/chain/sign-transaction";
import { processProver } from "@/lib/prover/process-prover";
import { ProverFailed } from "@/lib/prover/prover";
import { failOperations } from "@/lib/settlement/fail-operations";
import { indexNext } from "@/lib/settlement/index-next";
import { readMismatches } from "@/lib/settlement/read-mismatches";
import { rebuildIndex } from "@/lib/settlement/rebuild-index";
import { reconcilePayments } from "@/lib/settlement/reconcile-payments";
import { sweep } from "@/lib/settlement/resend/sweep";
import { Owner, settled } from "@/test/accounts/owner";
import { payMany } from "@/test/accounts/pay-many";
import { payWithDeadline } from "@/test/accounts/pay-with-deadline";
import { crash } from "@/test/chain/crash";
import { sendFromFaucet } from "@/test/chain/send-from-faucet";
import { type LocalServices, startLocalServices } from "@/test/services/local-services";
import { withWorker } from "@/test/services/with-worker";
import { createTransfer } from "./create-transfer";
import { paidTransfer } from "./paid-transfer";

const CHAIN = 46630;
const FUNDS = 100_000_000n;
let services: LocalServices;
let recipient: Owner;
/** The payer in all tests, except in those that leave the account changed. */
let payer: Owner;
let key: KeyContext;

beforeAll(async () => {
  services = await startLocalServices();
  recipient = await Owner.create(CHAIN);
  await withWorker(async () => settled(await recipient.enroll()));
  [payer, key] = await fundedPayer();
});

afterAll(() => services?.stop());

beforeEach(() => {
  crash.beforeBroadcast = false;
});

async function fundedPayer(): Promise<[Owner, KeyContext]> {
  const owner = await withWorker(() => Owner.funded(CHAIN, FUNDS));
  return [owner, await owner.key()];
}

const limit = async () => (await payer.decryptAvailable()).limit;

const pay = async (amount: string, { deadlineSeconds }: { deadlineSeconds?: number } = {}, by = key) => {
  const input = { to: `@${recipient.account.handle}`, amount, asset: "USDG", confidential: true } as const;
  const paying = deadlineSeconds ? payWithDeadline(by, input, deadlineSeconds) : createTransfer(by, input);
  return paidTransfer(await paying).row;
};

const received = async () => (await recipient.openNotes()).map(({ amount }) => amount);

const transactionsOf = (operationId: string) =>
  db().select().from(outgoingTransactions).where(eq(outgoingTransactions.operationId, operationId));

async function statusOf(id: string) {
  const [row] = await db().select().from(transfers).where(eq(transfers.id, id));
  return row?.status;
}

async function nonceSum() {
  const [row] = await db()
    .select({ total: sum(relayers.nextNonce) })
    .from(relayers)
    .where(eq(relayers.chainId, CHAIN));
  return row?.total;
}

describe("a crash", () => {
  const rows = async () => [
    await db().select().from(transfers).where(eq(transfers.payerId, payer.account.id)),
    await db().select().from(events).where(eq(events.accountId, payer.account.id)),
  ];

  test("before the commit leaves nothing: no transfer, no state, no nonce used", async () => {
    const [before, available, known] = [await nonceSum(), await payer.decryptAvailable(), await rows()];
    const dies = createTransfer(
      key,
      { to: `@${recipient.account.handle}`, amount: "1", asset: "USDG", confidential: true },
      async () => {
        throw new Error("the process dies");
      },
    );
    await expect(dies).rejects.toThrow("the process dies");
    expect(await nonceSum()).toBe(before);
    expect(await payer.decryptAvailable()).toEqual(available);
    expect(await rows()).toEqual(known);
  });

  test("of a thread that checks a proof, or a proof that does not verify, leaves nothing either", async () => {
    const [before, available, known, prover] = [
      await nonceSum(),
      await payer.decryptAvailable(),
      await rows(),
      await processProver(),
    ];
    const { proveAndVerify } = prover;
    const one = { to: `@${recipient.account.handle}`, amount: "1" };
    for (const [check, reason] of [
      [async () => false, "does not verify"],
      [() => Promise.reject(new ProverFailed("a worker died")), "a worker died"],
    ] as const) {
      const spy = vi.spyOn(prover, "proveAndVerify").mockImplementation(async (...asked) => {
        return { ...(await proveAndVerify(...asked)), verified: check() };
      });
      await expect(pay("1")).rejects.toThrow(reason);
      await expect(payMany(key, { payments: [one, one] })).rejects.toThrow(reason);
      expect(spy.mock.calls.map(([circuit]) => circuit)).toEqual(["transfer", "pay-many"]);
      spy.mockRestore();
    }
    expect(await nonceSum()).toBe(before);
    expect(await payer.decryptAvailable()).toEqual(available);
    expect(await rows()).toEqual(known);
  });

  test("between commit and broadcast: the worker sends the same bytes", async () => {
    crash.beforeBroadcast = true;
    const row = await pay("1");
    crash.beforeBroadcast = false;
    await withWorker(async () => expect(await settled(row.operationId)).toEqual(["confirmed"]));
    const sent = await transactionsOf(row.operationId);
    expect(sent.map(({ hash, status }) => ({ hash, status }))).toEqual([{ hash: row.txHash, status: "mined" }]);
  });

  test("after the broadcast: the same bytes sent again pay once", async () => {
    const [before, funds] = [(await received()).length, await limit()];
    const row = await pay("2");
    const [first] = await transactionsOf(row.operationId);
    if (!first) throw new Error("no transaction");
    await sendRaw(CHAIN, first.raw).catch(() => false);
    await withWorker(async () => expect(await settled(row.operationId)).toEqual(["confirmed"]));
    await sendRaw(CHAIN, first.raw).catch(() => false);
    await indexNext(CHAIN);
    expect((await received()).length).toBe(before + 1);
    expect(await limit()).toBe(funds - 2_000_000n);
  });

  test("between mining and settlement: the next worker settles once, with one event for each side", async () => {
    const row = await pay("3");
    const [sent] = await transactionsOf(row.operationId);
    for (let look = 1; ; look += 1) {
      const receipt = publicClient(CHAIN).getTransactionReceipt({ hash: row.txHash });
      if (await receipt.catch(() => null)) break;
      // The worker that would repeat a lost broadcast does not run here.
      if (look % 40 === 0 && sent) await sendRaw(CHAIN, sent.raw).catch(() => false);
      await sleep(20);
    }
    await Promise.all([indexNext(CHAIN), indexNext(CHAIN)]);
    await indexNext(CHAIN);
    expect(await statusOf(row.id)).toBe("confirmed");
    const announced = await db().select().from(events).where(eq(events.type, "transfer.confirmed"));
    expect(
      announced.filter(({ payload }) => payload.transfer_id === row.id).map(({ payload }) => payload.direction),
    ).toEqual(["sent", "received"]);
  });
});

describe("a failed attempt", () => {
  test("is made again with a new nonce, and what was built on it after that", async () => {
    const funds = await limit();
    crash.beforeBroadcast = true;
    const first = await pay("4");
    const second = await pay("5");
    crash.beforeBroadcast = false;
    // Someone with the same seed uses the first nonce, so the second payment is mined too early and reverts.
    const [lost] = await transactionsOf(first.operationId);
    if (!lost) throw new Error("no transaction");
    const [relayer] = await db()
      .select()
      .from(relayers)
      .where(and(eq(relayers.chainId, CHAIN), eq(relayers.address, lost.relayer)));
    const call = { target: lost.relayer as Address, data: "0x", value: 0n, gas: 50_000n } as const;
    const foreign = await signTransaction(
      CHAIN,
      relayerAccount(CHAIN, relayer?.position ?? 0),
      lost.nonce,
      call,
      await currentFees(CHAIN),
    );
    await sendRaw(CHAIN, foreign.raw);
    await withWorker(async () => {
      expect(await settled(first.operationId, second.operationId)).toEqual(["confirmed", "confirmed"]);
    });
    const attempts = async (id: string) => (await transactionsOf(id)).map(({ status }) => status).sort();
    expect(await attempts(first.operationId)).toEqual(["mined", "replaced"]);
    expect(await attempts(second.operationId)).toEqual(["mined", "reverted"]);
    const [shown] = await db().select().from(transfers).where(eq(transfers.id, second.id));
    const [mined] = (await transactionsOf(second.operationId)).filter(({ status }) => status === "mined");
    expect(shown?.txHash).toBe(mined?.hash);
    expect(await limit()).toBe(funds - 9_000_000n);
  });

  test("past its deadline fails with what was built on it, and the money comes back unopened", async () => {
    const funds = await limit();
    crash.beforeBroadcast = true;
    const first = await pay("6", { deadlineSeconds: 2 });
    const second = await pay("7");
    expect(await limit()).toBe(funds - 13_000_000n);
    await sleep(3_500);
    crash.beforeBroadcast = false;
    await withWorker(async () => {
      expect(await settled(first.operationId, second.operationId)).toEqual(["failed", "failed"]);
    });
    expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(["failed", "failed"]);
    expect(await limit()).toBe(funds);
    const announced = await db().select().from(events).where(eq(events.type, "transfer.failed"));
    const mine = announced.filter(({ payload }) => [first.id, second.id].includes(String(payload.transfer_id)));
    expect(mine.length).toBe(4);
    // The account can still pay.
    const third = await withWorker(async () => {
      const row = await pay("8");
      await settled(row.operationId);
      return row;
    });
    expect(await statusOf(third.id)).toBe("confirmed");
  });
});

describe("an owner who acts alone", () => {
  test("pauses payments until the sync; what was pending fails, what is superseded is gone", async () => {
    const [owner, ownKey] = await fundedPayer();
    const document = await owner.prepareMakeAvailable(40_000_000n);
    crash.beforeBroadcast = true;
    const row = await pay("9", {}, ownKey);
    await sendFromFaucet(CHAIN, documentCalldata(document));
    await indexNext(CHAIN);
    expect(await statusOf(row.id)).toBe("failed");
    await expect(pay("1", {}, ownKey)).rejects.toMatchObject({ code: "sync_required" });
    const left = () =>
      db()
        .select({ commitment: availableStates.commitment, status: availableStates.status })
        .from(availableStates)
        .where(and(eq(availableStates.account, owner.address), ne(availableStates.status, "void")));
    // Kept so that a sync can carry its counters forward. Nothing is paid from it.
    expect(await left()).toEqual([{ commitment: document.old_available, status: "past" }]);
    const { available } = await readLedger(owner.session, { asset: "USDG" });
    expect(available).toMatchObject({ commitment: document.new_available, sync_required: true, encrypted: null });
    await syncBalance(owner.session, {
      asset: "USDG",
      commitment: document.new_available,
      ...document.next_state,
      secret_version: 1,
    });
    expect(await left()).toEqual([{ commitment: document.new_available, status: "final" }]);
    expect((await owner.decryptAvailable()).limit).toBe(40_000_000n);
    crash.beforeBroadcast = false;
    const paid = await pay("10", {}, ownKey);
    await withWorker(async () => expect(await settled(paid.operationId)).toEqual(["confirmed"]));
    expect((await owner.decryptAvailable()).limit).toBe(30_000_000n);
    await sweep(CHAIN);
  });
});

describe("a deposit", () => {
  test("whose authorization a stranger carries to the ledger first is confirmed, and deposited money once", async () => {
    const deposited = async () => BigInt((await readLedger(payer.session, { asset: "USDG" })).deposited);
    const before = await deposited();
    await withWorker(async () => settled(await payer.mint("9")));
    crash.beforeBroadcast = true;
    const id = await payer.deposit(9_000_000n);
    const [deposit] = await db().select().from(operations).where(eq(operations.id, id));
    await sendFromFaucet(CHAIN, deposit?.data ?? "0x");
    await indexNext(CHAIN);
    crash.beforeBroadcast = false;
    await withWorker(async () => expect(await settled(id)).toEqual(["confirmed"]));
    expect(await deposited()).toBe(before + 9_000_000n);
  });
});

describe("the comparison of payments with the chain", () => {
  type Status = "pending" | "confirmed" | "failed";
  /** Overwrites a payment's status, with a time long enough ago for it to be compared. */
  const pretend = async (row: { id: string; operationId: string }, status: Status) => {
    const ago = new Date(Date.now() - 60_000);
    await db().update(transfers).set({ status }).where(eq(transfers.id, row.id));
    await db()
      .update(operations)
      .set({ status, createdAt: ago, settledAt: status === "pending" ? null : ago, reconciledAt: null })
      .where(eq(operations.id, row.operationId));
  };
  const compare = () => reconcilePayments(CHAIN, new Date(Date.now() + 1));
  const mismatches = async () => (await readMismatches()).map(({ mismatch, payments }) => ({ mismatch, payments }));
  const toldOf = async (id: string) => {
    const announced = await db().select().from(events).where(eq(events.accountId, payer.account.id)).orderBy(events.id);
    return announced.filter(({ payload }) => payload.transfer_id === id).map(({ type }) => type);
  };

  // What other files of this process left is found in the first comparison, and repaired in the second.
  beforeAll(async () => {
    await compare();
    await compare();
  });

  test("confirms what the chain carried out, whatever was announced before, and announces it once", async () => {
    const funds = await limit();
    crash.beforeBroadcast = true;
    const row = await pay("1");
    crash.beforeBroadcast = false;
    await db().transaction((tx) => failOperations(tx, [row.operationId], new Date()));
    const [lost] = await transactionsOf(row.operationId);
    await sendRaw(CHAIN, lost?.raw ?? "0x");
    await withWorker(async () => {
      while ((await statusOf(row.id)) !== "confirmed") await sleep(50);
    });
    const stages = ["transfer.initiated", "transfer.failed", "transfer.confirmed"];
    expect(await toldOf(row.id)).toEqual(stages);
    expect(await limit()).toBe(funds - 1_000_000n);
    // If only the row is wrong, the comparison finds the payment by its receipt.
    await pretend(row, "failed");
    await compare();
    expect(await statusOf(row.id)).toBe("confirmed");
    await compare();
    expect(await toldOf(row.id)).toEqual([...stages, "transfer.confirmed"]);
  });

  test("reopens what is confirmed without the chain; it goes out once more and is not announced twice", async () => {
    crash.beforeBroadcast = true;
    const row = await pay("2");
    crash.beforeBroadcast = false;
    await pretend(row, "confirmed");
    await compare();
    expect(await statusOf(row.id)).toBe("confirmed");
    expect(await mismatches()).toEqual([{ mismatch: "confirmed_not_executed", payments: 1 }]);
    await compare();
    expect(await statusOf(row.id)).toBe("pending");
    expect(await mismatches()).toEqual([]);
    await withWorker(async () => expect(await settled(row.operationId)).toEqual(["confirmed"]));
    expect(await toldOf(row.id)).toEqual(["transfer.initiated"]);
  });

  test("after `npm run reindex` transfers are as the chain has them", async () => {
    const paid = await pay("3");
    await withWorker(() => settled(paid.operationId));
    crash.beforeBroadcast = true;
    const unpaid = await pay("4");
    crash.beforeBroadcast = false;
    await pretend(paid, "failed");
    await pretend(unpaid, "confirmed");
    await db().transaction(async (tx) => {
      await waitChainLock(tx, "index", CHAIN);
      await rebuildIndex(tx, CHAIN, await finalBlock(CHAIN));
    });
    expect([await statusOf(paid.id), await statusOf(unpaid.id)]).toEqual(["confirmed", "pending"]);
  });
});
