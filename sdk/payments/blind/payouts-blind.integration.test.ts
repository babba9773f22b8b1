import { afterAll, beforeAll, expect, test } from "vitest";
import { env } from "@/lib/base/env";
import { createBlindKey } from "@/test/accounts/api-key";
import { Owner, settled } from "@/test/accounts/owner";
import { storedAsText } from "@/test/services/everything-stored";
import { keyClientOf, type Meddle } from "@/test/services/in-process-service";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import { PayoutsResource } from "../../resources/payouts-resource";
import { createPayoutBlind, resumePayoutBlind } from "./payouts-blind";

const CHAIN = 46630;
let services: WorkingServices;
let owner: Owner;
let payees: Owner[];
let keys: Awaited<ReturnType<typeof createBlindKey>>;

beforeAll(async () => {
  services = await startWorkingServices();
  owner = await Owner.funded(CHAIN, 900_000_000n);
  payees = [await Owner.create(CHAIN), await Owner.create(CHAIN)];
  for (const payee of payees) await settled(await payee.enroll());
  keys = await createBlindKey(owner);
});
afterAll(() => services?.stop());

const client = (meddle?: Meddle, of = keys) => keyClientOf(of, env().chains.test.rpcUrl, { meddle });
const available = async () => (await owner.decryptAvailable()).limit;
const rowsOf = (...amounts: string[]) =>
  amounts.map((amount, at) => ({
    to: `@${payees[at % 2]?.account.handle}`,
    amount,
    memo: `canary ${amount}`,
    reference: `ref-${at}`,
  }));

test("a payout is paid with one proof for each 16 rows, and no request, row or response has an amount", async () => {
  const before = await available();
  const texts: string[] = [];
  const recording: Meddle = async (request, honest) => {
    texts.push(request.url, await request.clone().text());
    const response = await honest();
    texts.push(await response.clone().text());
    return response;
  };
  const amounts = Array.from({ length: 17 }, (_, at) => `31.4159${String(at).padStart(2, "0")}`);
  const rows = rowsOf(...amounts);
  const idempotencyKey = crypto.randomUUID();
  const payouts = new PayoutsResource(await client(recording));
  expect(await payouts.check({ rows })).toEqual({ dry_run: true, rows: 17, faults: [] });
  const payout = await payouts.create({ rows }, { idempotencyKey });
  expect(payout).toMatchObject({ status: "finished", rows: 17, rows_paid: 17, rows_failed: 0 });
  const total = amounts.reduce((sum, amount) => sum + BigInt(amount.replace(".", "")), 0n);
  expect(await available()).toBe(before - total);
  const documents = texts.filter((text) => text.includes('"proof"'));
  expect(documents).toHaveLength(2);
  const stored = await storedAsText();
  for (const amount of amounts) {
    for (const needle of [amount, amount.replace(".", ""), keys.homeKey]) {
      expect(texts.join("\n")).not.toContain(needle);
      expect(stored).not.toContain(needle);
    }
  }
  const again = await createPayoutBlind(await client(), { rows }, { idempotencyKey });
  expect(again).toMatchObject({ payout_id: payout.payout_id, status: "finished" });
  const other = createPayoutBlind(await client(), { rows: rows.slice(1) }, { idempotencyKey });
  await expect(other).rejects.toMatchObject({ code: "idempotency_mismatch" });
  expect(await available()).toBe(before - total);
});

test("a payout whose machine ends after any of its requests pays each row once, from any machine", async () => {
  for (let lost = 1, isLost = true; isLost; lost++) {
    const before = await available();
    isLost = false;
    let posts = 0;
    const ending: Meddle = async (request, honest) => {
      if (request.method === "POST") posts += 1;
      if (posts < lost) return honest();
      if (posts === lost && !isLost) await honest();
      isLost = true;
      throw new TypeError("fetch failed");
    };
    const rows = rowsOf("1.25", "2.5", "0.000001");
    const idempotencyKey = crypto.randomUUID();
    const first = createPayoutBlind(await client(ending), { rows }, { idempotencyKey, wait: false });
    if (
      await first.then(
        () => false,
        () => true,
      )
    )
      expect(isLost).toBe(true);
    const machines = [await client(), await client()].map((machine) =>
      createPayoutBlind(machine, { rows }, { idempotencyKey }).catch((error: unknown) => error),
    );
    const done = { status: "finished", rows_paid: 3, rows_failed: 0 };
    expect(await Promise.all(machines)).toContainEqual(expect.objectContaining(done));
    expect(await available()).toBe(before - 3_750_001n);
  }
});

test("what can't be paid is refused before anything is accepted, and a payout goes on where another key stopped", async () => {
  const rows = [...rowsOf("1", "2"), { to: "@nobody-has-this", amount: "1" }, { to: "@x", amount: "1.0000001" }];
  const refused = createPayoutBlind(await client(), { rows });
  await expect(refused).rejects.toMatchObject({ code: "invalid_request", param: "rows.2.to" });
  const dear = createPayoutBlind(await client(), { rows: rowsOf("900000", "1") });
  await expect(dear).rejects.toMatchObject({ code: "insufficient_balance" });

  const other = await createBlindKey(owner);
  const mixed = { ...keys, homeKey: other.homeKey };
  const stranger = createPayoutBlind(await client(undefined, mixed), { rows: rowsOf("1", "1") });
  await expect(stranger).rejects.toMatchObject({ code: "key_forbidden" });

  const before = await available();
  let documents = 0;
  const stopping: Meddle = async (request, honest) => {
    if ((await request.clone().text()).includes('"proof"') && ++documents > 1) throw new TypeError("fetch failed");
    return honest();
  };
  const many = rowsOf(...Array.from({ length: 18 }, () => "1")).map((row, at) => ({ ...row, reference: `many-${at}` }));
  const idempotencyKey = crypto.randomUUID();
  const first = createPayoutBlind(await client(stopping), { rows: many }, { idempotencyKey, wait: false });
  await expect(first).rejects.toThrow();
  const found = await createPayoutBlind(await client(), { rows: many }, { idempotencyKey, wait: false });
  const done = await resumePayoutBlind(await client(undefined, other), found.payout_id);
  expect(done).toMatchObject({ status: "finished", rows_paid: 18 });
  expect(await available()).toBe(before - 18_000_000n);
});

test("a service that names another payout of the account than the request created has none of its rows paid", async () => {
  const before = await available();
  let waiting: { payout_id: string } | undefined;
  const stopping: Meddle = async (request, honest) => {
    if ((await request.clone().text()).includes('"proof"')) throw new TypeError("fetch failed");
    const response = await honest();
    if (request.method === "POST" && request.url.endsWith("/v1/payouts")) waiting = await response.clone().json();
    return response;
  };
  const first = createPayoutBlind(await client(stopping), { rows: rowsOf("40", "2") }, { wait: false });
  await expect(first).rejects.toThrow();
  // The same number of rows, so that only what they are derived from differs.
  const lying: Meddle = async (request, honest) => {
    if (request.method !== "POST" || !new URL(request.url).pathname.endsWith("/v1/payouts")) return honest();
    if (!request.url.includes("dry_run")) return Response.json(waiting, { status: 201 });
    return Response.json({ ...(await (await honest()).json()), payout_id: waiting?.payout_id });
  };
  const second = createPayoutBlind(await client(lying), { rows: rowsOf("1", "1") });
  await expect(second).rejects.toMatchObject({ message: expect.stringContaining("did not create") });
  expect(await available()).toBe(before);
});
