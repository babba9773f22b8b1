import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { events } from "@/db/schema/events";
import { payoutRows, payouts } from "@/db/schema/payouts";
import { transfers } from "@/db/schema/transfers";
import { env } from "@/lib/base/env";
import { formatAmount } from "@/lib/base/money";
import { cancelPayout } from "@/lib/payments/payouts/cancel-payout";
import { checkPayout, createPayout } from "@/lib/payments/payouts/create-payout";
import { Owner, settled } from "@/test/accounts/owner";
import { clientOf, type Meddle } from "@/test/services/in-process-service";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import { faucet } from "../funding/faucet";
import { makeAvailable } from "../funding/make-available";
import { receipt, verifyReceipt } from "../transfers/receipt";
import { newPayoutId } from "./new-payout-id";
import { type PayoutBatch, payByWallet } from "./pay-by-wallet";
import { acceptByWallet, checkByWallet, decryptAllRows, decryptPayout, decryptRows } from "./payouts-by-wallet";
import { shownRows } from "./shown-rows";

const CHAIN = 46630;
/** Amounts that can't occur by chance in the rows sent to the service or in what it stores. */
const CANARY = "3.141593";
const CANARY_UNITS = "3141593";
/** Digits occur by chance in what is encrypted and hashed. */
const withoutHex = (text: string) => text.replace(/0x[0-9a-f]{40,}/gi, "0x");
let services: WorkingServices;
let payer: Owner;
let payee: Owner;

beforeAll(async () => {
  services = await startWorkingServices();
  [payer, payee] = await Promise.all([Owner.funded(CHAIN, 1_000_000_000n), Owner.create(CHAIN)]);
  await settled(await payee.enroll());
});
afterAll(() => services?.stop());

const device = (meddle?: Meddle) => clientOf(payer.walletKey, env().chains.test.rpcUrl, { meddle });
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => {
    return { to: `@${payee.account.handle}`, amount: CANARY, memo: `canary memo ${i}`, reference: `row-${i + 1}` };
  });
const paidOf = async (payoutId: string) => {
  const rows = await db().select().from(transfers).where(eq(transfers.payoutId, payoutId));
  return rows.filter(({ status }) => status !== "failed");
};

test("a payout goes on where a closed page left it, on another device, each row paid once, with a receipt", async () => {
  const seen: string[] = [];
  const listening: Meddle = async (request, honest) => {
    seen.push(`${request.method} ${request.url} ${await request.clone().text()}`);
    const response = await honest();
    seen.push(await response.clone().text());
    return response;
  };
  const first = await device(listening);
  const { payout_id: id } = await acceptByWallet(first, rowsOf(35));
  const stored = JSON.stringify([await db().select().from(payoutRows), await db().select().from(payouts)]);
  for (const secret of [CANARY, CANARY_UNITS, "canary memo"]) expect(withoutHex(stored)).not.toContain(secret);
  // Simulates closing the page after the first proof is sent.
  const closed = new AbortController();
  const signed: PayoutBatch[] = [];
  const onBatch = (batch: PayoutBatch) => signed.push(batch);
  const left = await payByWallet(first, id, {
    onBatch,
    signal: closed.signal,
    onProgress: ({ rows_pending }) => rows_pending < 35 && closed.abort(),
  });
  expect(left).toMatchObject({ status: "processing", rows_pending: 19 });
  const other = await device(listening);
  expect(await payByWallet(other, id, { onBatch })).toMatchObject({ rows_pending: 0 });
  // What each signature pays was said before it: every row once, no more than 16 at a time.
  expect(signed.map(({ batch, batches, payments }) => [batch, batches, payments.length])).toEqual([
    [0, 3, 16],
    [1, 3, 16],
    [2, 3, 3],
  ]);
  expect(signed.every(({ asset }) => asset === "USDG")).toBe(true);
  for (const { to, amount } of signed.flatMap(({ payments }) => payments)) {
    expect([to, amount]).toEqual([`@${payee.account.handle}`, CANARY]);
  }
  const paid = await paidOf(id);
  expect(paid).toHaveLength(35);
  expect(new Set(paid.map(({ note }) => note)).size).toBe(35);
  expect(new Set(paid.map(({ operationId }) => operationId)).size).toBe(3);
  await settled(...paid.map(({ operationId }) => operationId));
  // It must finish without waiting for the client's last sign of life to expire, after a minute.
  const statusOf = async () => (await decryptPayout(other, id)).payout.status;
  await expect.poll(statusOf, { timeout: 50_000 }).toBe("finished");
  const text = (await receipt(other, paid[7]?.id ?? "")).receipt;
  expect(await verifyReceipt(other, text)).toMatchObject({ amount: CANARY, asset: "USDG" });
  // A proof fetches only its own rows (two pages), however many the payout has. The other device reads once what the
  // first one has paid.
  const pages = seen.filter((line) => line.startsWith("GET") && line.includes("/rows?"));
  expect(pages).toHaveLength(2 * 3 + 1);
  for (const line of seen.map(withoutHex))
    for (const secret of [CANARY, CANARY_UNITS, "canary memo"]) expect(line).not.toContain(secret);
});

test("a payout whose responses are lost is paid once when it is continued", async () => {
  let lost = 0;
  const losing: Meddle = async (request, honest) => {
    const response = await honest();
    const isBatch = request.method === "POST" && new URL(request.url).pathname === "/v1/transfers/batch";
    if (!isBatch || !response.ok || lost > 0) return response;
    lost += 1;
    throw new TypeError("fetch failed");
  };
  const { payout_id: id } = await acceptByWallet(
    await device(),
    rowsOf(18).map((row) => ({ ...row, memo: "lost" })),
  );
  await payByWallet(await device(losing), id).catch(() => {});
  expect(lost).toBe(1);
  const payout = await payByWallet(await device(), id);
  expect(payout).toMatchObject({ rows_pending: 0, rows_failed: 0 });
  const paid = await paidOf(id);
  expect(paid).toHaveLength(18);
  expect(new Set(paid.map(({ note }) => note)).size).toBe(18);
});

test("a payout that finishes while its rows are being read is stated as paid", async () => {
  const rows = rowsOf(2).map((row) => ({ ...row, memo: "finishes" }));
  const { payout_id: id } = await acceptByWallet(await device(), rows);
  const finishing: Meddle = async (request, honest) => {
    const response = await honest();
    if (request.method !== "GET" || new URL(request.url).pathname !== `/v1/payouts/${id}`) return response;
    await payByWallet(await device(), id);
    const stored = async () =>
      (await db().select().from(payoutRows).where(eq(payoutRows.payoutId, id))).map(({ encrypted }) => encrypted);
    await expect.poll(stored, { timeout: 120_000 }).toEqual(["0x", "0x"]);
    return response;
  };
  expect(await payByWallet(await device(finishing), id)).toMatchObject({ rows_paid: 2, rows_sent: 0, rows_failed: 0 });
  expect(await paidOf(id)).toHaveLength(2);
});

test("a payout that is cancelled while a proof is being made sends nothing more", async () => {
  const rows = rowsOf(18).map((row) => ({ ...row, memo: "cancelled" }));
  const { payout_id: id } = await acceptByWallet(await device(), rows);
  const left: string[] = [];
  let checks = 0;
  const cancelling: Meddle = async (request, honest) => {
    const { pathname } = new URL(request.url);
    // The checks of the second batch run while it is being proved.
    if (pathname === "/api/transfers/check" && ++checks === 2) await cancelPayout(payer.session, id);
    return honest();
  };
  const onPending = ({ id }: { id: string }) => void left.push(id);
  const payout = await payByWallet(await device(cancelling), id, { onPending });
  expect(payout).toMatchObject({ status: "cancelled", rows_pending: 0, rows_cancelled: 2 });
  expect(left).toEqual([`${id}/0`]);
  expect(await paidOf(id)).toHaveLength(16);
});

test("a batch that is refused because its payout was cancelled is not called unpaid before the chain shows it", async () => {
  const { payout_id: id } = await acceptByWallet(
    await device(),
    rowsOf(2).map((row) => ({ ...row, memo: "too late" })),
  );
  const cancelling: Meddle = async (request, honest) => {
    if (new URL(request.url).pathname === "/v1/transfers/batch") await cancelPayout(payer.session, id);
    return honest();
  };
  await expect(payByWallet(await device(cancelling), id)).rejects.toMatchObject({ code: "outcome_unknown" });
  const { payout } = await decryptPayout(await device(), id);
  expect(payout).toMatchObject({ status: "cancelled", rows_cancelled: 2, rows_failed: 0 });
  expect(await paidOf(id)).toEqual([]);
});

test("a payout whose acceptance is lost at each step, and is approved again, is one payout", async () => {
  const rows = rowsOf(3).map((row) => ({ ...row, memo: "accepted" }));
  const payoutId = newPayoutId();
  for (const path of ["/v1/payouts", `/v1/payouts/${payoutId}/rows`]) {
    const losing: Meddle = async (request, honest) => {
      const response = await honest();
      if (request.method !== "POST" || new URL(request.url).pathname !== path) return response;
      throw new TypeError("fetch failed");
    };
    await expect(acceptByWallet(await device(losing), rows, { payoutId })).rejects.toThrow();
  }
  expect(await acceptByWallet(await device(), rows, { payoutId })).toMatchObject({ payout_id: payoutId, rows: 3 });
  expect(await payByWallet(await device(), payoutId)).toMatchObject({ rows_pending: 0, rows_failed: 0 });
  expect(await paidOf(payoutId)).toHaveLength(3);
  const stored = await db().select().from(payoutRows).where(eq(payoutRows.payoutId, payoutId));
  expect(stored).toHaveLength(3);
});

test("a service that says that paid rows are still to be paid has none of them paid again", async () => {
  const rows = rowsOf(2).map((row) => ({ ...row, memo: "again" }));
  const { payout_id: id } = await acceptByWallet(await device(), rows);
  await payByWallet(await device(), id);
  await settled(...(await paidOf(id)).map(({ operationId }) => operationId));
  const balance = (await payer.decryptAvailable()).limit;
  const lying: Meddle = async (request, honest) => {
    const { pathname } = new URL(request.url);
    const response = await honest();
    if (pathname.endsWith(`/${id}/rows`) && request.method === "GET") {
      const page = (await response.json()) as { rows: object[] };
      const again = page.rows.map((row) => ({ ...row, status: "pending", transfer_id: null }));
      return Response.json({ ...page, rows: again });
    }
    if (!pathname.endsWith(`/${id}/resume`)) return response;
    return Response.json({ ...((await response.json()) as object), status: "processing", rows_pending: 2 });
  };
  const end = new AbortController();
  let looks = 0;
  await payByWallet(await device(lying), id, {
    signal: end.signal,
    onProgress: () => {
      looks += 1;
      if (looks === 3) end.abort();
    },
  }).catch(() => {});
  expect((await payer.decryptAvailable()).limit).toBe(balance);
  expect(await paidOf(id)).toHaveLength(2);
});

test("rows on a page are called paid if the ledger shows their payments, whatever the service calls them", async () => {
  const { payout_id: paid } = await acceptByWallet(await device(), rowsOf(2));
  await payByWallet(await device(), paid);
  await settled(...(await paidOf(paid)).map(({ operationId }) => operationId));
  const { payout_id: unpaid } = await acceptByWallet(await device(), rowsOf(1));
  const saying = async (id: string, lie: object = {}) => {
    const context = await device(async (request, honest) => {
      const response = await honest();
      if (!new URL(request.url).pathname.endsWith(`/${id}/rows`)) return response;
      const page = (await response.json()) as { rows: object[] };
      return Response.json({ ...page, rows: page.rows.map((row) => ({ ...row, ...lie })) });
    });
    const opened = await decryptPayout(context, id);
    const { rows } = await decryptRows(context, opened);
    const shown = await shownRows(context, opened, rows);
    return shown.map(({ row: { status, error } }) => error?.message ?? status);
  };
  const failed = { status: "failed", transfer_id: null, error: { code: "transfer_failed", message: "It failed." } };
  expect(await saying(paid)).toEqual(["paid", "paid"]);
  for (const lie of [failed, { status: "pending" }, { status: "cancelled" }]) {
    expect(await saying(paid, lie)).toEqual(["paid", "paid"]);
  }
  expect(await saying(unpaid, { status: "paid" })).toEqual(["sent"]);
  expect(await saying(unpaid, failed)).toEqual(["It failed."]);
  await expect(saying(paid, { row: 1 })).rejects.toThrow("does not list each");
  await expect(saying(unpaid, { row: 2 })).rejects.toThrow("does not list each");
});

test("a row whose text a service altered is not paid and is counted as failed, and the other one is paid", async () => {
  const [altered, other] = rowsOf(2);
  if (!altered || !other) throw new Error("there are two rows");
  const { payout_id: id } = await acceptByWallet(await device(), [altered, { ...other, amount: "0.02" }]);
  const lying: Meddle = async (request, honest) => {
    const response = await honest();
    if (request.method !== "GET" || !new URL(request.url).pathname.endsWith(`/${id}/rows`)) return response;
    const page = (await response.json()) as { rows: { row: number; encrypted: { ciphertext: string } }[] };
    for (const { row, encrypted } of page.rows)
      if (row === 1) encrypted.ciphertext = encrypted.ciphertext.replace(/..$/, "00");
    return Response.json(page);
  };
  const before = (await payer.decryptAvailable()).limit;
  const counts = { rows: 2, rows_paid: 1, rows_sent: 0, rows_failed: 1, rows_pending: 0 };
  expect(await payByWallet(await device(lying), id)).toMatchObject(counts);
  expect((await payer.decryptAvailable()).limit).toBe(before - 20_000n);
  // The chain shows the payment before the service lists it as final.
  const read = async () => {
    const rows = await decryptAllRows(await device(), await decryptPayout(await device(), id));
    return rows.map(({ row: { status, error } }) => error?.code ?? status);
  };
  await expect.poll(read).toEqual(["altered", "paid"]);
});

test("a service that exchanges the recipient of a name pays no one", async () => {
  const thief = await Owner.create(CHAIN);
  await settled(await thief.enroll());
  const { payout_id: id } = await acceptByWallet(
    await device(),
    rowsOf(2).map((row) => ({ ...row, memo: "thief" })),
  );
  const lying: Meddle = async (request, honest) => {
    const response = await honest();
    if (!new URL(request.url).searchParams.has("dry_run")) return response;
    const { names } = (await response.json()) as { names: object[] };
    return Response.json({ names: names.map((name) => ({ ...name, address: thief.address })) });
  };
  const payout = await payByWallet(await device(lying), id);
  expect(payout).toMatchObject({ rows_pending: 0, rows_failed: 2 });
  expect(await paidOf(id)).toEqual([]);
  const opened = await decryptPayout(await device(), id);
  const all = await decryptAllRows(await device(), opened);
  expect(all.map(({ row }) => row.error?.code)).toEqual(["recipient_changed", "recipient_changed"]);
});

test("a payout pays the checked address or no one, also when the service names another for the payment itself", async () => {
  const thief = await Owner.create(CHAIN);
  await settled(await thief.enroll());
  for (const count of [1, 3]) {
    const rows = rowsOf(count).map((row) => ({ ...row, memo: `turns ${count}` }));
    const { payout_id: id } = await acceptByWallet(await device(), rows);
    const posts: string[] = [];
    const lying: Meddle = async (request, honest) => {
      const { pathname } = new URL(request.url);
      if (request.method === "POST" && /^\/v1\/transfers(\/batch)?$/.test(pathname)) posts.push(pathname);
      return pathname === "/api/accounts/resolve" ? Response.json({ address: thief.address }) : honest();
    };
    const payout = await payByWallet(await device(lying), id);
    expect(payout).toMatchObject({ rows_pending: 0, rows_failed: count });
    expect(posts).toEqual([]);
    expect(await paidOf(id)).toEqual([]);
    const opened = await decryptPayout(await device(), id);
    const all = await decryptAllRows(await device(), opened);
    expect(new Set(all.map(({ row }) => row.error?.code))).toEqual(new Set(["recipient_changed"]));
  }
});

test("rows of several assets are paid in proofs of their own, each asset within its own balance", async () => {
  const context = await device();
  await faucet(context, { asset: "ETH", amount: "1" });
  await makeAvailable(context, { asset: "ETH" });
  const to = `@${payee.account.handle}`;
  const mixed = (reference: string) => [
    { to, amount: "1.000001", reference: `${reference}-1` },
    { to, amount: "0.100000003", asset: "ETH", reference: `${reference}-2` },
    { to, amount: "2", asset: "USDG", reference: `${reference}-3` },
    { to, amount: "0.2", asset: "ETH", reference: `${reference}-4` },
  ];
  const tooMuch = [...mixed("x"), { to, amount: "5", asset: "ETH" }];
  const { faults } = await checkByWallet(context, tooMuch);
  expect(faults).toMatchObject([{ row: null, code: "insufficient_balance", message: expect.stringContaining("ETH") }]);
  const paidTogether = async (id: string) => {
    const paid = await paidOf(id);
    await settled(...paid.map(({ operationId }) => operationId));
    const assets = [...new Set(paid.map(({ operationId }) => operationId))].map((operation) =>
      paid.filter(({ operationId }) => operationId === operation).map(({ asset }) => asset),
    );
    expect(assets.map((each) => [each.length, new Set(each).size])).toEqual([
      [2, 1],
      [2, 1],
    ]);
  };
  const { payout_id: id } = await acceptByWallet(context, mixed("wallet"));
  expect(await payByWallet(context, id)).toMatchObject({ rows_pending: 0, rows_failed: 0 });
  await paidTogether(id);
  const key = await payer.key();
  const asked = { idempotencyKey: "mixed", fingerprint: `0x${"ab".repeat(32)}`, secret: randomBytes(32) } as const;
  const { payout } = await createPayout(key, { rows: mixed("key"), allow_duplicates: false }, asked);
  await paidTogether(payout.payout.id);
  const input = { rows: tooMuch, allow_duplicates: false };
  expect((await checkPayout(key, input)).faults).toMatchObject([
    { row: null, message: expect.stringContaining("ETH") },
  ]);
});

test("a payout whose money is gone by then is paused, and says why to anyone who opens it later", async () => {
  const context = await device();
  const limit = (await payer.decryptAvailable()).limit;
  const most = formatAmount((limit * 6n) / 10n, 6);
  const row = (reference: string) => [{ to: `@${payee.account.handle}`, amount: most, reference }];
  const [first, second] = [await acceptByWallet(context, row("first")), await acceptByWallet(context, row("second"))];
  await payByWallet(context, first.payout_id);
  await expect(payByWallet(context, second.payout_id)).rejects.toMatchObject({ code: "insufficient_balance" });
  const { payout } = await decryptPayout(await device(), second.payout_id);
  expect(payout).toMatchObject({ status: "paused", pause_reason: "insufficient_balance", rows_pending: 1 });
  const announced = await db().select().from(events).where(eq(events.type, "payout.paused"));
  const reasons = announced.map(({ payload }) => [payload.payout_id, payload.pause_reason]);
  const both = [first.payout_id, second.payout_id];
  expect(reasons.filter(([id]) => both.includes(String(id)))).toEqual([[second.payout_id, "insufficient_balance"]]);
});
