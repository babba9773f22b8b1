import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { payoutRows, payouts } from "@/db/schema/payouts";
import { newId } from "@/lib/base/ids";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { ENCRYPTED_PAYOUT_KEY_LENGTH, ENCRYPTED_PAYOUT_ROW_LENGTH } from "@/lib/ledger/encrypted/payout";
import { cleanUp } from "@/lib/worker/clean-up";
import { keyCaller, sessionCaller } from "@/test/accounts/api-caller";
import { Owner } from "@/test/accounts/owner";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { addRows, draftPayout } from "./draft-payout";
import type { AddRowsInput, EncryptedPayoutInput } from "./schema";

const DAY = 86_400_000;
let services: SharedServices;
let owner: Owner;

beforeAll(async () => {
  services = await startSharedServices();
  owner = await Owner.create(46630);
});
afterAll(() => services.stop());

const bytes = (length: number) => toHex(new Uint8Array(length).fill(7));

/** Begins a payout of two rows as the owner's client does, and sends the first rows of it. */
async function begin(sent: 1 | 2): Promise<{ input: EncryptedPayoutInput; createdAt: Date }> {
  const encryptedKey = bytes(ENCRYPTED_PAYOUT_KEY_LENGTH);
  const input = { payout_id: newId("payout"), rows: 2, encrypted_key: encryptedKey, secret_version: 1 };
  const { payout } = await draftPayout(owner.session, input, { idempotencyKey: "" });
  await addRows(owner.session, input.payout_id, { rows: [1, 2].slice(0, sent).map(rowOf) });
  return { input, createdAt: payout.createdAt };
}

const rowOf = (row: number): AddRowsInput["rows"][number] => ({
  ...{ row, batch: 0, place: row - 1, note: bytes(32), to: "@bob", reference: null },
  ciphertext: bytes(ENCRYPTED_PAYOUT_ROW_LENGTH),
});

async function stored(id: string): Promise<{ payouts: number; rows: number }> {
  return {
    payouts: await db().$count(payouts, eq(payouts.id, id)),
    rows: await db().$count(payoutRows, eq(payoutRows.payoutId, id)),
  };
}

test("a payout whose rows never all came is deleted after a week with its key and rows, and can be begun again", async () => {
  const { input, createdAt } = await begin(1);
  const id = input.payout_id;
  await cleanUp(new Date(createdAt.getTime() + 7 * DAY));
  expect(await stored(id)).toEqual({ payouts: 1, rows: 1 });
  await cleanUp(new Date(createdAt.getTime() + 7 * DAY + 1));
  expect(await stored(id)).toEqual({ payouts: 0, rows: 0 });
  await expect(addRows(owner.session, id, { rows: [rowOf(2)] })).rejects.toMatchObject({ code: "not_found" });
  await draftPayout(owner.session, input, { idempotencyKey: "" });
  const { payout } = await addRows(owner.session, id, { rows: [rowOf(1), rowOf(2)] });
  expect(payout.status).toBe("processing");
});

test("a payout that was accepted stays, and so does a draft of which something was paid", async () => {
  const [accepted, paid] = [await begin(2), await begin(1)];
  const { payout_id: id } = paid.input;
  await db().update(payoutRows).set({ status: "paid" }).where(eq(payoutRows.payoutId, id));
  await cleanUp(new Date(paid.createdAt.getTime() + 30 * DAY));
  expect(await stored(accepted.input.payout_id)).toEqual({ payouts: 1, rows: 2 });
  expect(await stored(id)).toEqual({ payouts: 1, rows: 1 });
});

test("a session or a key adds the rows that its client encrypted, and a session has the service encrypt none", async () => {
  const [bySession, byKey] = [await sessionCaller(owner), (await keyCaller(owner.session)).call];
  for (const call of [bySession, byKey]) {
    const encrypted = {
      payout_id: newId("payout"),
      rows: 2,
      encrypted_key: bytes(ENCRYPTED_PAYOUT_KEY_LENGTH),
      secret_version: 1,
    };
    for (const _ of [1, 2]) {
      const { status, json } = await call("POST", "/v1/payouts", { encrypted });
      expect([status, json]).toEqual([
        201,
        expect.objectContaining({ payout_id: encrypted.payout_id, status: "paused", rows: 2 }),
      ]);
    }
    const path = `/v1/payouts/${encrypted.payout_id}/rows`;
    expect((await call("POST", path, { rows: [rowOf(1)] })).json.status).toBe("paused");
    expect((await call("POST", path, { rows: [rowOf(1), rowOf(2)] })).json.status).toBe("processing");
    const beyond = await call("POST", path, { rows: [rowOf(3)] });
    expect([beyond.status, beyond.json.error?.param]).toEqual([400, "rows.0.row"]);
  }
  const encrypted = { ...(await begin(1)).input, payout_id: newId("payout") };
  const before = await db().$count(payouts);
  const rows = [{ to: "@bob", amount: "1" }];
  for (const [query, body, param, headers] of [
    ["", { rows }, "encrypted", {}],
    ["?dry_run=true", { rows }, "encrypted", {}],
    ["?dry_run=true", { encrypted }, "encrypted", {}],
    ["", { rows, encrypted }, "rows", {}],
    ["", {}, "rows", {}],
    ["", { encrypted }, "Idempotency-Key", { "idempotency-key": "once" }],
  ] as const) {
    const { status, json } = await bySession("POST", `/v1/payouts${query}`, body, headers);
    expect([status, json.error?.code, json.error?.param]).toEqual([400, "invalid_request", param]);
  }
  const stale = await bySession("POST", "/v1/payouts", { encrypted: { ...encrypted, secret_version: 2 } });
  expect([stale.status, stale.json.error?.code]).toEqual([409, "available_balance_changed"]);
  expect(await db().$count(payouts)).toBe(before);
});
