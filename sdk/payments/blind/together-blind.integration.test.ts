import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { idempotencyKeys } from "@/db/schema/keys";
import { availableBalances } from "@/db/schema/ledger";
import { setBatchPayments } from "@/lib/accounts/set-batch-payments";
import { endLock, lockToBuild, releaseBalanceLock, takeBalanceLock } from "@/lib/balances/balance-lock";
import { assetBySymbol } from "@/lib/base/assets";
import { env } from "@/lib/base/env";
import { createBlindKey } from "@/test/accounts/api-key";
import { Owner, settled } from "@/test/accounts/owner";
import { storedAsText } from "@/test/services/everything-stored";
import { keyClientOf, type Meddle } from "@/test/services/in-process-service";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import { Call } from "../../api/call";
import { toHalcyonError } from "../../api/to-halcyon-error";
import type { Context } from "../../context/context";
import { blindBalancesOf } from "./blind-balances";
import { sendBlind } from "./pay-blind";

const CHAIN = 46630;
const BATCH = "/v1/transfers/batch";
let services: WorkingServices;
let owner: Owner;
let payees: Owner[];
let keys: Awaited<ReturnType<typeof createBlindKey>>;

beforeAll(async () => {
  services = await startWorkingServices();
  [owner, ...payees] = await Promise.all([
    Owner.funded(CHAIN, 987_654_321n),
    ...[1, 2].map(async () => {
      const payee = await Owner.create(CHAIN);
      await settled(await payee.enroll());
      return payee;
    }),
  ]);
  keys = await createBlindKey(owner);
});
afterAll(() => services?.stop());

const handle = (at: number) => `@${payees[at % payees.length]?.account.handle}`;
const available = async () => (await owner.decryptAvailable()).limit;
const pathOf = ({ url }: Request) => new URL(url).pathname;

/** A client, and the paths of what it posts. */
async function client(meddle: Meddle = (_, honest) => honest()): Promise<{ context: Context; posted: string[] }> {
  const posted: string[] = [];
  const counting: Meddle = (request, honest) => {
    if (request.method === "POST") posted.push(pathOf(request));
    return meddle(request, honest);
  };
  const settings = { meddle: counting, call: new Call({ maxRetries: 0 }) };
  return { context: await keyClientOf(keys, env().chains.test.rpcUrl, settings), posted };
}

/** Pays at once, with one request for each amount. */
const payAll = (context: Context, amounts: readonly string[], ids: readonly string[] = []) =>
  Promise.allSettled(
    amounts.map((amount, at) => {
      const idempotencyKey = ids[at] ?? crypto.randomUUID();
      return sendBlind(context, { to: handle(at), amount, memo: `canary ${at}`, idempotencyKey });
    }),
  );

const paidOf = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.filter((one) => one.status === "fulfilled");

test("payments that wait for one balance are made with one proof, and each request gets its own transfer again", async () => {
  const texts: string[] = [];
  const { context, posted } = await client(async (request, honest) => {
    texts.push(await request.clone().text());
    return honest();
  });
  const before = await available();
  const amounts = ["27.182818", "1", "1", "1", "1", "2.718281"];
  const ids = amounts.map(() => crypto.randomUUID());
  const results = await payAll(context, amounts, ids);
  expect(paidOf(results)).toHaveLength(amounts.length);
  expect(posted.filter((path) => path === BATCH)).toHaveLength(1);
  expect(await available()).toBe(before - 33_901_099n);
  const seen = [...texts, await storedAsText()].join("\n");
  for (const secret of ["27182818", "27.182818", "2718281", "canary"]) expect(seen, secret).not.toContain(secret);

  const idsOf = (list: PromiseSettledResult<unknown>[]) =>
    list.map((one) => one.status === "fulfilled" && (one.value as { transfer_id: string }).transfer_id);
  const again = await client();
  for (const [at, id] of ids.entries()) {
    const repeated = await sendBlind(again.context, {
      to: handle(at),
      amount: amounts[at] ?? "",
      memo: `canary ${at}`,
      idempotencyKey: id,
    });
    // Known by the chain alone, or by the service's response to the request.
    expect([null, idsOf(results)[at]]).toContain((repeated as { transfer_id: string | null }).transfer_id);
  }
  await db().delete(idempotencyKeys);
  expect(paidOf(await payAll((await client()).context, amounts, ids))).toHaveLength(amounts.length);
  expect(await available()).toBe(before - 33_901_099n);
});

test("what can't be paid with the others gets its own error, and they are paid", async () => {
  const { context, posted } = await client();
  const before = await available();
  const inputs = ["1", "1", "1", "1", "1", "100000"].map((amount, at) => ({ to: handle(at), amount }));
  inputs.splice(3, 0, { to: "@nobody-at-all", amount: "1" });
  const results = await Promise.allSettled(inputs.map((input) => sendBlind(context, input)));
  const codes = results.map((one) => (one.status === "rejected" ? toHalcyonError(one.reason).code : "paid"));
  expect(codes).toEqual(["paid", "paid", "paid", "recipient_not_found", "paid", "paid", "insufficient_balance"]);
  expect(posted).toContain(BATCH);
  expect(await available()).toBe(before - 5_000_000n);
});

test("a batch whose response is lost, before or after the service takes it, pays each request once", async () => {
  for (const arrives of [true, false]) {
    const { context, posted } = await client(async (request, honest) => {
      if (pathOf(request) !== BATCH) return honest();
      if (arrives) await honest();
      return new Response("", { status: 502 });
    });
    const before = await available();
    const results = await payAll(context, ["1", "1", "1", "1", "1"]);
    expect(paidOf(results)).toHaveLength(5);
    expect(posted).toContain(BATCH);
    expect(await available()).toBe(before - 5_000_000n);
  }
});

test("a batch that comes too late, after its payments were made alone, pays nothing", async () => {
  const held: { send(): Promise<Response> }[] = [];
  const { context } = await client((request, honest) => {
    if (pathOf(request) !== BATCH) return honest();
    held.push({ send: honest });
    return Promise.resolve(new Response("", { status: 502 }));
  });
  const before = await available();
  expect(paidOf(await payAll(context, ["1", "1", "1", "1", "1"]))).toHaveLength(5);
  await db().delete(idempotencyKeys);
  const late = await held[0]?.send();
  expect(late?.status).toBe(409);
  expect(await available()).toBe(before - 5_000_000n);
});

test("two clients with one key that send the same requests at once pay each once", async () => {
  const before = await available();
  const ids = ["1", "2", "3", "4", "5"].map(() => crypto.randomUUID());
  const [one, two] = [await client(), await client()];
  const amounts = ids.map(() => "1");
  await Promise.all([payAll(one.context, amounts, ids), payAll(two.context, amounts, ids)]);
  await payAll((await client()).context, amounts, ids);
  expect(await available()).toBe(before - 5_000_000n);
});

test.each([
  [true, "together"],
  [false, "one by one"],
])(
  "two processes with one key pay eight requests each, sharing proofs %s: what comes second is paid next",
  async (shared) => {
    await setBatchPayments(owner.session, shared);
    try {
      const before = await available();
      const statuses: number[][] = [[], []];
      const processes = await Promise.all(
        statuses.map((own) =>
          client(async (request, honest) => {
            const response = await honest();
            if (/\/transfers(\/batch)?$/.test(pathOf(request)) && request.method === "POST") own.push(response.status);
            return response;
          }),
        ),
      );
      const results = await Promise.all(processes.map(({ context }) => payAll(context, Array(8).fill("1"))));
      for (const each of results) expect(paidOf(each)).toHaveLength(8);
      expect(await available()).toBe(before - 16_000_000n);
      // Who has lost a turn holds the balance until it has paid.
      for (const own of statuses) expect(own.filter((status, at) => status === 409 && own[at + 1] === 409)).toEqual([]);
    } finally {
      await setBatchPayments(owner.session, true);
    }
  },
);

test("a turn ends with a payment that is not made: others need not wait for it", async () => {
  const { context } = await client();
  (await blindBalancesOf(context)).contest("USDG");
  const refused = await sendBlind(context, { to: handle(0), amount: "100000" }).catch(toHalcyonError);
  expect(refused).toMatchObject({ code: "insufficient_balance" });
  const locks = async () => {
    const rows = await db().select({ lockToken: availableBalances.lockToken }).from(availableBalances);
    return rows.filter(({ lockToken }) => lockToken !== null);
  };
  await expect.poll(locks, { timeout: 30_000 }).toEqual([]);
});

test("the wallet's client waits for the payment that a home key builds, and is next", async () => {
  const { account } = owner.session;
  const availableId = { chainId: CHAIN, account: account.address, asset: assetBySymbol(CHAIN).address } as const;
  const token = await lockToBuild(availableId);
  const order: string[] = [];
  const taken = takeBalanceLock(owner.session, { asset: "USDG" }).then(({ token: lock_token }) => {
    order.push("taken");
    return lock_token;
  });
  await available();
  order.push("built");
  await endLock(db(), availableId, token);
  await releaseBalanceLock(owner.session, { asset: "USDG", lock_token: await taken });
  expect(order).toEqual(["built", "taken"]);
});

test("a batch of whose keys one is changed on the way is not signed", async () => {
  const changed: number[] = [];
  const { context } = await client(async (request, honest) => {
    if (pathOf(request) !== BATCH) return honest();
    const body = await request.json();
    body.blind.payments[0].idempotency_key = crypto.randomUUID();
    const { serveInProcess } = await import("@/test/services/in-process-service");
    const { url, headers } = request;
    const response = await serveInProcess(new Request(url, { method: "POST", headers, body: JSON.stringify(body) }));
    changed.push(response.status);
    return response;
  });
  const before = await available();
  expect(paidOf(await payAll(context, ["1", "1", "1", "1", "1"]))).toHaveLength(5);
  expect(changed).toEqual([403]);
  expect(await available()).toBe(before - 5_000_000n);
});

test("an account that wants no payments to share a proof has them made one by one", async () => {
  await setBatchPayments(owner.session, false);
  try {
    const { context, posted } = await client();
    const before = await available();
    expect(paidOf(await payAll(context, ["1", "1", "1", "1"]))).toHaveLength(4);
    expect(paidOf(await payAll(context, ["1", "1", "1", "1"]))).toHaveLength(4);
    expect(await available()).toBe(before - 8_000_000n);
    // What the service has refused once is not proved again.
    expect(posted.filter((path) => path === BATCH)).toHaveLength(1);
    expect(posted.filter((path) => path === "/v1/transfers")).toHaveLength(8);
  } finally {
    await setBatchPayments(owner.session, true);
  }
});
