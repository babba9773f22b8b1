import { randomBytes } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { db } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { events } from "@/db/schema/events";
import { jobs } from "@/db/schema/jobs";
import { apiKeys } from "@/db/schema/keys";
import { availableStates, notes } from "@/db/schema/ledger";
import { payoutRows, payouts } from "@/db/schema/payouts";
import { transfers } from "@/db/schema/transfers";
import { setLimits } from "@/lib/agents/set-limits";
import { assetBySymbol } from "@/lib/base/assets";
import type { KeyContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { newId } from "@/lib/base/ids";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { commitmentToHex } from "@/lib/ledger/crypto/field";
import { derivePaymentKey } from "@/lib/ledger/crypto/keys";
import {
  decryptPayoutKey,
  encryptPayoutKey,
  encryptPayoutRow,
  payoutBatchSeed,
  payoutRowSeed,
} from "@/lib/ledger/encrypted/payout";
import { noteOf } from "@/lib/ledger/prepare/note-parts";
import { planTransfer } from "@/lib/ledger/prepare/plan-transfer";
import { planTransferMany } from "@/lib/ledger/prepare/plan-transfer-many";
import { createClientSignedBatch } from "@/lib/payments/create-client-signed-batch";
import { createTransfer } from "@/lib/payments/create-transfer";
import { failOperations } from "@/lib/settlement/fail-operations";
import { Agent, GENEROUS } from "@/test/accounts/agent";
import { Owner, settled } from "@/test/accounts/owner";
import { complete, requestOf } from "@/test/accounts/prepare-spend";
import { signPolicyAs } from "@/test/accounts/sign-policy";
import { crash } from "@/test/chain/crash";
import { type LocalServices, startLocalServices } from "@/test/services/local-services";
import { withWorker } from "@/test/services/with-worker";
import type { AskedPayout } from "./accept-payout";
import { cancelPayout } from "./cancel-payout";
import { checkPayout, createPayout } from "./create-payout";
import { addRows, draftPayout } from "./draft-payout";
import { keepWorking } from "./keep-working";
import { listPayouts } from "./list-payouts";
import { listRows } from "./list-rows";
import { readPayout } from "./read-payout";
import { resumePayout } from "./resume-payout";
import type { PayoutRowText } from "./schema";
import { readStalePayouts, reencryptPayouts } from "./stale-payouts";
import { watchPayout } from "./watch-payout";

const CHAIN = 46630;
let services: LocalServices;
let payer: Owner;
let key: KeyContext;
let recipients: Owner[];
let agent: Agent;
let outsider: Owner;

beforeAll(async () => {
  services = await startLocalServices();
  await withWorker(async () => {
    payer = await Owner.funded(CHAIN, 2_000_000_000n);
    recipients = [await Owner.create(CHAIN), await Owner.create(CHAIN), await Owner.create(CHAIN)];
    await settled(...(await Promise.all(recipients.map((one) => one.enroll()))));
    const created = await Agent.create(payer);
    agent = created.agent;
    await settled(created.operationId);
    key = await payer.key();
  });
  outsider = await Owner.create(CHAIN);
});
afterAll(() => services?.stop());
beforeEach(() => {
  crash.at = "";
  crash.proofs = 0;
});

const rowsOf = (count: number, amount = "1"): PayoutRowText[] =>
  Array.from({ length: count }, (_, index) => ({
    to: `@${recipients[index % 3]?.account.handle}`,
    amount,
    reference: `row ${index + 1}`,
  }));

const ask = (): AskedPayout => ({
  idempotencyKey: randomBytes(8).toString("hex"),
  fingerprint: toHex(randomBytes(32)),
  secret: randomBytes(32),
});

/** A clock that stands: a request on a busy machine would return before it has paid every row. */
const standing = (at = Date.now()) => {
  return () => at;
};

const create = (rows: PayoutRowText[], asked = ask(), by = key) =>
  createPayout(by, { rows, allow_duplicates: false }, asked, standing());

const resume = (payoutId: string) => resumePayout(key, payoutId, {}, standing());

const statusesOf = async (payoutId: string) => {
  const rows = await db().select().from(payoutRows).where(eq(payoutRows.payoutId, payoutId)).orderBy(payoutRows.row);
  return rows.map(({ status }) => status);
};
const encryptedOf = async (payoutId: string) => {
  const rows = await db().select().from(payoutRows).where(eq(payoutRows.payoutId, payoutId));
  return rows.map(({ encrypted }) => encrypted);
};
const transfersOf = (payoutId: string) => db().select().from(transfers).where(eq(transfers.payoutId, payoutId));

/** Runs the worker until the payout is finished or only has rows left to pay. */
async function settle(payoutId: string) {
  await withWorker(() =>
    vi.waitFor(
      async () => {
        const { payout, counts } = await readPayout(key, payoutId);
        if (counts.sent > 0 || (counts.pending === 0 && payout.status !== "finished")) throw new Error("not yet");
        // A receipt may confirm a payment before the index has it.
        const open = and(eq(availableStates.account, payer.address), eq(availableStates.status, "pending"));
        if ((await db().$count(availableStates, open)) > 0) throw new Error("not indexed yet");
      },
      { timeout: 120_000, interval: 100 },
    ),
  );
  return readPayout(key, payoutId);
}

/** Checks that every row is paid once, by its own transfer. */
async function expectPaidOnce(payoutId: string, rows: number) {
  expect(await settle(payoutId)).toMatchObject({ payout: { status: "finished" }, counts: { paid: rows } });
  const paid = (await transfersOf(payoutId)).filter(({ status }) => status !== "failed");
  expect(paid).toHaveLength(rows);
  expect(new Set(paid.map(({ note }) => note)).size).toBe(rows);
}

async function everything() {
  const { id } = payer.account;
  const paid = await db().$count(transfers, eq(transfers.payerId, id));
  return [paid, await db().$count(payouts, eq(payouts.accountId, id)), (await payer.decryptAvailable()).limit];
}

describe("a payout", () => {
  test("pays its rows in proofs of sixteen, each with a transfer, its events and its reference", async () => {
    const before = (await payer.decryptAvailable()).limit;
    const { outcome, payout } = await create(rowsOf(35, "2"));
    expect([outcome, payout.counts.sent, crash.proofs]).toEqual(["created", 35, 3]);
    const { id } = payout.payout;
    await expectPaidOnce(id, 35);
    expect((await payer.decryptAvailable()).limit).toBe(before - 70_000_000n);
    const paid = await transfersOf(id);
    expect(new Set(paid.map(({ reference }) => reference)).size).toBe(35);
    const announced = await db().select().from(events).where(eq(events.accountId, payer.account.id));
    expect(announced.filter(({ type }) => type === "payout.finished").map(({ payload }) => payload)).toMatchObject([
      { payout_id: id, rows: 35, rows_paid: 35, rows_failed: 0 },
    ]);
    const ids = new Set(paid.map((one) => one.id));
    const own = announced.filter(({ payload }) => ids.has(`${payload.transfer_id}`));
    expect(own).toHaveLength(2 * 35);
    expect((await listRows(key, id, { limit: 3, starting_after: 20 })).list.map(({ row }) => row)).toEqual([
      21, 22, 23,
    ]);
    expect((await listPayouts(key, { limit: 1 })).list[0]?.payout.id).toBe(id);
  });

  test("is one however often it is asked for: the same request continues it, another body is refused", async () => {
    const asked = ask();
    const both = await Promise.all([create(rowsOf(5), asked), create(rowsOf(5), asked)]);
    expect(new Set(both.map(({ payout }) => payout.payout.id)).size).toBe(1);
    const again = await create(rowsOf(5), asked);
    expect(again.outcome).toBe("continued");
    await expect(create(rowsOf(5), { ...asked, fingerprint: ask().fingerprint })).rejects.toMatchObject({
      code: "idempotency_mismatch",
    });
    await expectPaidOnce(again.payout.payout.id, 5);
    expect((await create(rowsOf(5), asked)).payout.payout.status).toBe("finished");
  });

  test("is paid once by two processes that work on it at a time", async () => {
    crash.at = "before";
    const asked = ask();
    await expect(create(rowsOf(40), asked)).rejects.toThrow("the process dies");
    crash.at = "";
    const [payout] = await db().select().from(payouts).where(eq(payouts.idempotencyKey, asked.idempotencyKey));
    const id = payout?.id ?? "";
    await Promise.all([resume(id), create(rowsOf(40), asked), resume(id)]);
    expect(crash.proofs).toBe(3);
    await expectPaidOnce(id, 40);
  });

  test.each(["before", "recorded", "committed"] as const)("killed %s goes on where it stood", async (at) => {
    const asked = ask();
    crash.at = at;
    await expect(create(rowsOf(18), asked)).rejects.toThrow("the process dies");
    const [payout] = await db().select().from(payouts).where(eq(payouts.idempotencyKey, asked.idempotencyKey));
    const id = payout?.id ?? "";
    const sent = at === "committed" ? 16 : 0;
    expect((await statusesOf(id)).filter((status) => status === "sent")).toHaveLength(sent);
    crash.at = "";
    await create(rowsOf(18), asked);
    await expectPaidOnce(id, 18);
  });

  test("that is done keeps whom it paid, and nothing that opens what it paid", async () => {
    const asked = ask();
    const { payout } = await create(rowsOf(3, "0.01"), asked);
    const { id } = payout.payout;
    await expectPaidOnce(id, 3);
    const [done] = await db().select().from(payouts).where(eq(payouts.id, id));
    expect(done?.encryptedKey).toBe("0x");
    await withWorker(() => expect.poll(() => encryptedOf(id)).toEqual(["0x", "0x", "0x"]));
    const { list } = await listRows(key, id, { limit: 10 });
    expect(list.map(({ to, reference, status }) => ({ to, reference, status }))).toEqual(
      rowsOf(3, "0.01").map(({ to, reference }) => ({ to, reference, status: "paid" })),
    );
    expect((await create(rowsOf(3, "0.01"), asked)).payout).toMatchObject({ payout: { id }, counts: { paid: 3 } });
    // A rotation that read the payout before it was done does not store its key again.
    await db().update(payouts).set({ secretVersion: 0 }).where(eq(payouts.id, id));
    const again = { payout_id: id, encrypted_key: `0x${"11".repeat(72)}` } as const;
    expect(await reencryptPayouts(payer.session, { secret_version: 1, payouts: [again] })).toEqual({ payouts: 0 });
    expect((await readStalePayouts(payer.session, { limit: 10 })).list.map((one) => one.id)).not.toContain(id);
    // A payment that leaves the chain once its row is deleted can't be made again.
    await db().update(payouts).set({ status: "processing" }).where(eq(payouts.id, id));
    await db().update(payoutRows).set({ status: "pending" }).where(eq(payoutRows.payoutId, id));
    await resume(id);
    await watchPayout(id, new Date());
    expect(await settle(id)).toMatchObject({ payout: { status: "finished" }, counts: { failed: 3 } });
  });

  test("whose rows a restored database has lost makes no second payment: the notes are the same", async () => {
    const asked = ask();
    const { payout } = await create(rowsOf(17), asked);
    const { id } = payout.payout;
    await expectPaidOnce(id, 17);
    const before = await everything();
    // As if a backup from before the payout was restored and its payments were read back from the chain.
    await db().update(transfers).set({ payoutId: null }).where(eq(transfers.payoutId, id));
    await db().delete(payoutRows).where(eq(payoutRows.payoutId, id));
    await db().delete(payouts).where(eq(payouts.id, id));
    const again = await create(rowsOf(17), asked);
    expect(again.payout.counts.paid).toBe(17);
    await expectPaidOnce(again.payout.payout.id, 17);
    expect(await everything()).toEqual(before);
  });
});

describe("a payout that the owner's client pays", () => {
  test("is accepted with its last row, knows its rows by their notes, and refuses a batch once it is cancelled", async () => {
    const [scope, asset] = [payer.scope, assetBySymbol(CHAIN).address];
    const id = newId("payout");
    const payoutKey = randomBytes(32);
    const [one, two] = [recipients[0] as Owner, recipients[1] as Owner];
    const rows = [one, two, one, two].map((to, index) => {
      const [batch, place] = [Math.floor(index / 2), index % 2];
      const ref = { payoutId: id, row: index + 1, batch, place };
      const { commitment } = noteOf(payoutRowSeed(payoutKey, scope, ref), scope, to.address, asset, 1_000_000n);
      const text = { to: `@${to.account.handle}`, address: to.address, asset, amount: 1_000_000n };
      const ciphertext = toHex(encryptPayoutRow(payoutKey, scope, ref, text));
      return {
        row: index + 1,
        batch,
        place,
        note: commitmentToHex(commitment),
        to: text.to,
        reference: null,
        ciphertext,
      };
    });
    const encryptedKey = toHex(
      encryptPayoutKey(payer.secret, scope, payer.address, { payoutId: id, rows: 4 }, payoutKey),
    );
    const draft = { payout_id: id, rows: 4, encrypted_key: encryptedKey, secret_version: 1 };
    await draftPayout(payer.session, draft, { idempotencyKey: "" });
    await draftPayout(payer.session, draft, { idempotencyKey: "" });
    await addRows(payer.session, id, { rows: rows.slice(0, 3) });
    expect((await readPayout(payer.session, id)).payout.status).toBe("draft");
    await addRows(payer.session, id, { rows: rows.slice(2) });
    expect((await readPayout(payer.session, id)).payout.status).toBe("processing");
    const pay = async (batch: number) => {
      const { to: _to, amount: _amount, ...request } = await requestOf(payer, payer, 1n);
      const payments = [one, two].map((to) => {
        return { to: to.address, amount: 1_000_000n, recipientViewingKey: to.viewing.publicKey };
      });
      const seed = payoutBatchSeed(payoutKey, scope, batch);
      const plan = await planTransferMany({ ...request, policyVersion: 0n, payments, seed });
      const document = await complete(plan, derivePaymentKey(payer.authority, scope).privateKey);
      const named = [one, two].map((to) => ({ to: `@${to.account.handle}` }));
      return createClientSignedBatch(payer.session, { asset: "USDG", payments: named, client_signed: document });
    };
    await pay(0);
    expect(await statusesOf(id)).toEqual(["sent", "sent", "pending", "pending"]);
    await cancelPayout(payer.session, id);
    await expect(pay(1)).rejects.toMatchObject({ code: "invalid_request" });
    expect(await transfersOf(id)).toHaveLength(2);
    await withWorker(async () => settled(...(await transfersOf(id)).map(({ operationId }) => operationId)));
    expect(await statusesOf(id)).toEqual(["paid", "paid", "cancelled", "cancelled"]);
    const [done] = await db().select().from(payouts).where(eq(payouts.id, id));
    expect(done?.encryptedKey).toBe("0x");
    await expect.poll(() => encryptedOf(id)).toEqual(["0x", "0x", "0x", "0x"]);
  });
});

describe("a check", () => {
  test("lists the fault of every row, and nothing is accepted", async () => {
    const ok = `@${recipients[0]?.account.handle}`;
    const rows: PayoutRowText[] = [
      { to: ok, amount: "1" },
      { to: "@nobody-is-called-so", amount: "1" },
      { to: `@${outsider.account.handle}`, amount: "1" },
      { to: ok, amount: "0.12345678" },
      { to: "who?", amount: "-1" },
      { to: ok, amount: "1.0" },
      { to: ok, amount: "1", asset: "BTC" },
      { to: `@${payer.account.handle}`, amount: "1" },
      { to: `@${agent.account.handle}`, amount: "1" },
      { to: ok, amount: "5", memo: "x".repeat(513), reference: "y".repeat(65) },
    ];
    const before = await everything();
    const { faults } = await checkPayout(key, { rows, allow_duplicates: false });
    expect(faults.map(({ row, param, code }) => [row, param, code])).toEqual([
      [2, "to", "recipient_not_found"],
      [3, "to", "recipient_not_confidential_ready"],
      [4, "amount", "invalid_request"],
      [5, "to", "invalid_request"],
      [5, "amount", "invalid_request"],
      [6, "to", "duplicate"],
      [7, "asset", "invalid_request"],
      [8, "to", "invalid_request"],
      [9, "to", "invalid_request"],
      [10, "memo", "invalid_request"],
      [10, "reference", "invalid_request"],
    ]);
    const refused = await create(rows).catch((error) => error);
    expect(refused).toMatchObject({ code: "invalid_request", param: "rows.1.to" });
    expect((refused as ApiError).errors).toHaveLength(11);
    const large = await checkPayout(key, { rows: [{ to: ok, amount: "1999999" }], allow_duplicates: false });
    expect(large.faults).toMatchObject([{ row: null, code: "insufficient_balance" }]);
    await expect(create([{ to: ok, amount: "1999999" }])).rejects.toMatchObject({ code: "insufficient_balance" });
    const noEther = await checkPayout(key, { rows: [{ to: ok, amount: "1", asset: "ETH" }], allow_duplicates: false });
    expect(noEther.faults).toMatchObject([{ row: null, code: "insufficient_balance" }]);
    const twice = await checkPayout(key, { rows: rows.filter((_, n) => n === 0 || n === 5), allow_duplicates: true });
    expect(twice.faults).toEqual([]);
    expect(await everything()).toEqual(before);
  });

  test("refuses agents, and accounts whose keys keep to limits", async () => {
    const agentKey = await agent.key();
    const input = { rows: rowsOf(1), allow_duplicates: false };
    for (const call of [
      () => createPayout(agentKey, input, ask()),
      () => checkPayout(agentKey, input),
      () => listPayouts(agentKey, { limit: 1 }),
      () => readPayout(agentKey, "po_01KADJ2C9B3T6Y0V8ZQ4N5M7WX"),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: "key_forbidden" });
    }
    const limited = await withWorker(() => Owner.funded(CHAIN, 10_000_000n));
    const signed = await signPolicyAs(limited, limited.address, { policy: GENEROUS, paused: false, version: 1n });
    await setLimits(limited.session, GENEROUS, signed);
    const limitedKey = await limited.key();
    for (const call of [() => createPayout(limitedKey, input, ask()), () => checkPayout(limitedKey, input)]) {
      await expect(call()).rejects.toMatchObject({ code: "key_forbidden" });
    }
    expect(await db().select().from(payouts).where(eq(payouts.accountId, limited.account.id))).toEqual([]);
  });
});

describe("what goes wrong on the way", () => {
  /** Accepts a payout without paying any row. */
  async function accepted(rows: PayoutRowText[], by = key): Promise<string> {
    const asked = ask();
    crash.at = "before";
    await create(rows, asked, by).catch(() => {});
    crash.at = "";
    const [payout] = await db().select().from(payouts).where(eq(payouts.idempotencyKey, asked.idempotencyKey));
    return payout?.id ?? "";
  }

  test("a recipient that fails fails its own row; its neighbours are paid", async () => {
    const id = await accepted(rowsOf(6));
    const gone = recipients[1]?.account.id ?? "";
    const [{ handle = "" } = {}] = await db().select().from(accounts).where(eq(accounts.id, gone));
    await db()
      .update(accounts)
      .set({ handle: `${handle}x` })
      .where(eq(accounts.id, gone));
    await resume(id);
    await db().update(accounts).set({ handle }).where(eq(accounts.id, gone));
    expect(await settle(id)).toMatchObject({ payout: { status: "finished" }, counts: { paid: 4, failed: 2 } });
    const { list } = await listRows(key, id, { limit: 10, status: "failed" });
    expect(list.map(({ row, error }) => [row, error])).toEqual([
      [2, "recipient_not_found"],
      [5, "recipient_not_found"],
    ]);
  });

  test("a handle that stands for another account by then is not paid", async () => {
    const id = await accepted(rowsOf(2));
    const [one, two] = [recipients[0]?.account, recipients[1]?.account];
    const rename = (from: string | undefined, to: string) =>
      db()
        .update(accounts)
        .set({ handle: to })
        .where(eq(accounts.id, from ?? ""));
    await rename(one?.id, "tmp-name-of-test");
    await rename(two?.id, one?.handle ?? "");
    await resume(id);
    await rename(two?.id, two?.handle ?? "");
    await rename(one?.id, one?.handle ?? "");
    const rows = await db().select().from(payoutRows).where(eq(payoutRows.payoutId, id)).orderBy(payoutRows.row);
    expect(rows.map(({ error }) => error)).toEqual(["recipient_changed", "recipient_not_found"]);
  });

  test("rows that someone with the database has changed or exchanged are not paid", async () => {
    const id = await accepted([...rowsOf(2, "3"), ...rowsOf(1, "4")]);
    const stored = await db().select().from(payoutRows).where(eq(payoutRows.payoutId, id)).orderBy(payoutRows.row);
    const set = (row: number, change: object) =>
      db()
        .update(payoutRows)
        .set(change)
        .where(and(eq(payoutRows.payoutId, id), eq(payoutRows.row, row)));
    await set(1, { encrypted: stored[2]?.encrypted });
    await set(2, { note: stored[0]?.note });
    await resume(id);
    expect(await settle(id)).toMatchObject({ counts: { paid: 1, failed: 2 } });
    const rows = await db().select().from(payoutRows).where(eq(payoutRows.payoutId, id)).orderBy(payoutRows.row);
    expect(rows.map(({ error }) => error)).toEqual(["altered", "altered", null]);
  });

  test("a batch that the chain refuses is paid again row by row, with the same notes", async () => {
    crash.at = "committed";
    const asked = ask();
    await create(rowsOf(3), asked).catch(() => {});
    crash.at = "";
    const [payout] = await db().select().from(payouts).where(eq(payouts.idempotencyKey, asked.idempotencyKey));
    const id = payout?.id ?? "";
    const [first] = await transfersOf(id);
    await db().transaction((tx) => failOperations(tx, [first?.operationId ?? ""], new Date()));
    expect(await statusesOf(id)).toEqual(["pending", "pending", "pending"]);
    crash.proofs = 0;
    await create(rowsOf(3), asked);
    expect(crash.proofs).toBe(3);
    await expectPaidOnce(id, 3);
  });

  test("funds that are gone pause it with the reason; it goes on once they are there", async () => {
    const id = await accepted(rowsOf(2, "900"));
    const drain = await create(rowsOf(1, "500"));
    const paused = await resume(id);
    expect(paused.payout).toMatchObject({ status: "paused", pauseReason: "insufficient_balance" });
    expect(await statusesOf(id)).toEqual(["pending", "pending"]);
    const announced = await db().select().from(events).where(eq(events.type, "payout.paused"));
    const own = announced.filter(({ payload }) => payload.payout_id === id);
    expect(own.map(({ payload }) => payload.pause_reason)).toEqual(["insufficient_balance"]);
    await settle(drain.payout.payout.id);
    expect((await cancelPayout(key, id)).counts).toMatchObject({ cancelled: 2 });
  });

  test("a key that is revoked pauses it; another key of the account goes on", async () => {
    const other = await payer.key();
    const id = await accepted(rowsOf(2), other);
    await db().update(apiKeys).set({ revokedAt: new Date() }).where(eq(apiKeys.id, other.keyId));
    const revoked: KeyContext = {
      ...other,
      unwrap: async () => {
        throw new ApiError("unauthorized", "This API key has been revoked.");
      },
    };
    await expect(resumePayout(revoked, id)).rejects.toMatchObject({ code: "unauthorized" });
    expect((await readPayout(key, id)).payout).toMatchObject({ status: "paused", pauseReason: "unauthorized" });
    await resume(id);
    await expectPaidOnce(id, 2);
  });

  test("without a request it is paused when its time is up, never before, and finished by no one's request", async () => {
    const id = await accepted(rowsOf(2));
    const { payout } = await readPayout(key, id);
    const end = payout.workingUntil.getTime();
    expect(await watchPayout(id, new Date(end - 1_000))).toBe(1_000);
    expect((await readPayout(key, id)).payout.status).toBe("processing");
    expect(await watchPayout(id, new Date(end))).toBeNull();
    expect((await readPayout(key, id)).payout).toMatchObject({ status: "paused", pauseReason: null });
    const scheduled = await db().select().from(jobs).where(eq(jobs.key, id));
    expect(scheduled.map(({ name }) => name)).toEqual(["payouts.watch"]);
    await resume(id);
    await expectPaidOnce(id, 2);
  });

  test("its time is up by the database's clock, whatever the clock of the process that works on it", async () => {
    const id = await accepted(rowsOf(1));
    const real = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: real + 3_600_000 });
    try {
      expect(await keepWorking(id, 60_000)).toBe(true);
    } finally {
      vi.useRealTimers();
    }
    const [job] = await db().select().from(jobs).where(eq(jobs.key, id));
    const { payout } = await readPayout(key, id);
    expect(payout.workingUntil.getTime()).toBeLessThan(real + 600_000);
    expect(job?.nextRun).toEqual(payout.workingUntil);
    await resume(id);
    await expectPaidOnce(id, 1);
  });

  test("cancelled pays nothing more, and what was paid stays so", async () => {
    crash.at = "committed";
    const asked = ask();
    await create(rowsOf(18), asked).catch(() => {});
    crash.at = "";
    const [payout] = await db().select().from(payouts).where(eq(payouts.idempotencyKey, asked.idempotencyKey));
    const id = payout?.id ?? "";
    const cancelled = await cancelPayout(key, id);
    expect(cancelled.counts).toMatchObject({ sent: 16, cancelled: 2 });
    expect((await cancelPayout(key, id)).counts).toEqual(cancelled.counts);
    expect((await create(rowsOf(18), asked)).payout.payout.status).toBe("cancelled");
    const operations = new Set((await transfersOf(id)).map(({ operationId }) => operationId));
    await withWorker(() => settled(...operations));
    expect((await readPayout(key, id)).counts).toMatchObject({ paid: 16, cancelled: 2 });
  });

  test("cancelled leaves no row to be paid when its last batch fails", async () => {
    crash.at = "committed";
    const asked = ask();
    await create(rowsOf(3), asked).catch(() => {});
    crash.at = "";
    const [payout] = await db().select().from(payouts).where(eq(payouts.idempotencyKey, asked.idempotencyKey));
    const id = payout?.id ?? "";
    expect((await cancelPayout(key, id)).counts).toMatchObject({ sent: 3, cancelled: 0 });
    const [first] = await transfersOf(id);
    await db().transaction((tx) => failOperations(tx, [first?.operationId ?? ""], new Date()));
    expect(await watchPayout(id, new Date())).toBeNull();
    expect((await readPayout(key, id)).counts).toMatchObject({ pending: 0, cancelled: 3 });
  });

  /** Makes the note of a row from another account, which its recipient can once it was sent the row's payment. */
  async function makeNoteOf(payoutId: string, number: number, from: Owner): Promise<string> {
    const [payout] = await db().select().from(payouts).where(eq(payouts.id, payoutId));
    const [row] = await db()
      .select()
      .from(payoutRows)
      .where(and(eq(payoutRows.payoutId, payoutId), eq(payoutRows.row, number)));
    const to = recipients[(number - 1) % 3];
    if (!payout || !row || !to) throw new Error("the row is there");
    const { scope } = payer;
    const ref = { payoutId, rows: payout.rows };
    const payoutKey = decryptPayoutKey(payer.secret, scope, payer.address, ref, fromHex(payout.encryptedKey));
    const seed = payoutRowSeed(payoutKey, scope, row);
    const request = await requestOf(from, to, 1_000_000n);
    const plan = await planTransfer({ ...request, seed, policyVersion: 0n, recipientViewingKey: to.viewing.publicKey });
    const document = await complete(plan, derivePaymentKey(from.authority, from.scope).privateKey);
    expect(document.note).toBe(row.note);
    await createTransfer(from.session, { to: to.address, asset: "USDG", confidential: true, client_signed: document });
    const [created] = await db()
      .select()
      .from(transfers)
      .where(and(eq(transfers.note, row.note), eq(transfers.payerId, from.account.id)));
    await settled(created?.operationId ?? "");
    await expect.poll(() => db().$count(notes, eq(notes.note, row.note))).toBe(1);
    return created?.id ?? "";
  }

  test.each(["together", "alone"] as const)(
    "a row that is paid %s is not paid by another account that makes its note; its neighbours are paid",
    async (how) => {
      const id = await accepted(rowsOf(3));
      if (how === "alone") await db().update(payoutRows).set({ alone: true }).where(eq(payoutRows.payoutId, id));
      const foreign = await withWorker(async () => {
        return makeNoteOf(id, 2, await Owner.funded(CHAIN, 2_000_000n));
      });
      await resume(id);
      expect(await settle(id)).toMatchObject({ payout: { status: "finished" }, counts: { paid: 2, failed: 1 } });
      const { list } = await listRows(key, id, { limit: 10, status: "failed" });
      expect(list.map(({ row, error, transferId }) => [row, error, transferId])).toEqual([
        [2, "transfer_failed", null],
      ]);
      const paid = await transfersOf(id);
      expect(paid.map(({ payerId }) => payerId)).toEqual([payer.account.id, payer.account.id]);
      expect(paid.map((one) => one.id)).not.toContain(foreign);
    },
  );

  test("a session reports what its client does, and a plain key does not: the service pays its rows", async () => {
    const id = await accepted(rowsOf(1));
    const work = { failed: [], alone: [] };
    const refused = { code: "invalid_request", param: "work" };
    await expect(resumePayout(payer.session, id)).rejects.toMatchObject(refused);
    await expect(resumePayout(key, id, { work })).rejects.toMatchObject({ code: "key_forbidden" });
    const { payout } = await resumePayout(payer.session, id, { work: { ...work, paused: "sync_required" } });
    expect(payout).toMatchObject({ status: "paused", pauseReason: "sync_required" });
    await resume(id);
  });

  test("another account's is as unknown as none", async () => {
    const id = await accepted(rowsOf(1));
    const stranger = await (await Owner.create(CHAIN)).key();
    const unknown = "po_01KADJ2C9B3T6Y0V8ZQ4N5M7WX";
    for (const one of [id, unknown]) {
      for (const call of [readPayout, resumePayout, cancelPayout]) {
        await expect(call(stranger, one)).rejects.toMatchObject({ code: "not_found" });
      }
      await expect(listRows(stranger, one, { limit: 1 })).rejects.toMatchObject({ code: "not_found" });
    }
    expect((await listPayouts(stranger, { limit: 10 })).list).toEqual([]);
    await resume(id);
  });
});

test("a payout that a restored database has lost is not refused for the funds that it has spent itself", async () => {
  const { limit } = await payer.decryptAvailable();
  const asked = ask();
  const rows = rowsOf(1, String((limit * 6n) / 10_000_000n));
  const { payout } = await create(rows, asked);
  const { id } = payout.payout;
  await expectPaidOnce(id, 1);
  const before = await everything();
  await db().update(transfers).set({ payoutId: null }).where(eq(transfers.payoutId, id));
  await db().delete(payoutRows).where(eq(payoutRows.payoutId, id));
  await db().delete(payouts).where(eq(payouts.id, id));
  await expect(create(rows)).rejects.toMatchObject({ code: "insufficient_balance" });
  const again = await create(rows, asked);
  await expectPaidOnce(again.payout.payout.id, 1);
  expect(await everything()).toEqual(before);
});

test("no row of any payout was paid twice", async () => {
  const paid = await db()
    .select()
    .from(transfers)
    .where(and(eq(transfers.payerId, payer.account.id), inArray(transfers.status, ["pending", "confirmed"])));
  const notes = paid.flatMap(({ note }) => (note ? [note] : []));
  expect(new Set(notes).size).toBe(notes.length);
});
