import type { Hex } from "viem";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { env } from "@/lib/base/env";
import { createTransfer } from "@/lib/payments/create-transfer";
import { paidTransfer } from "@/lib/payments/paid-transfer";
import { Agent } from "@/test/accounts/agent";
import { Owner, settled } from "@/test/accounts/owner";
import { clientOf, type Meddle } from "@/test/services/in-process-service";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import { decryptFunds } from "../../account/funds/funds";
import { ownParty, partyOf } from "../../account/party";
import { Call } from "../../api/call";
import { HalcyonError } from "../../api/errors";
import { keyWallet } from "../../chain/key-wallet";
import type { Wallet } from "../../chain/wallet";
import type { Context } from "../../context/context";
import { approve } from "../approvals/approve";
import { deposit } from "../funding/deposit";
import { faucet } from "../funding/faucet";
import { makeAvailable } from "../funding/make-available";
import { payByWallet } from "../payouts/pay-by-wallet";
import { acceptByWallet } from "../payouts/payouts-by-wallet";
import { createRequest } from "../requests/create-request";
import { payRequest } from "../requests/pay-request";
import { payRun } from "../schedules/pay-run";
import { createSchedule } from "../schedules/write-schedule";
import { send } from "../send";
import { sendMany } from "../send-many";
import { withdraw } from "../withdraw";
import type { AttemptOptions } from "./attempt-options";
import { checkPayment } from "./check-payment";
import { NothingMoved, OutcomeUnknown } from "./outcome-unknown";
import type { PendingPayment } from "./pending-payment";

/*
 * Each operation that moves money, with each way its response can be lost. The browser tests cover what users then see.
 */

const CHAIN = 46630;
const DAY_MS = 86_400_000;
const NOBODY = "0x000000000000000000000000000000000000dEaD";
let services: WorkingServices;
let owner: Owner;
let payee: Owner;
let agent: Agent;

beforeAll(async () => {
  services = await startWorkingServices();
  [owner, payee] = [await Owner.funded(CHAIN, 100_000_000n), await Owner.create(CHAIN)];
  await settled(await payee.enroll());
  const registered = await Agent.create(owner, { hitlThreshold: 0n });
  agent = registered.agent;
  await settled(registered.operationId);
  await settled(await owner.mint("500"));
  await settled(await owner.deposit(100_000_000n));
  await send(await client(), { to: bot(), amount: "50", clientSigned: true });
});
afterAll(() => services?.stop());

/** Waits a twentieth of each pause: for a client to whom the chain has nothing to show, however long it looks. */
class Hurried extends Call {
  override pause(ms: number): Promise<void> {
    return super.pause(ms / 20);
  }
}

const client = (meddle?: Meddle, call?: Call) => clientOf(owner.walletKey, env().chains.test.rpcUrl, { meddle, call });
const bot = () => `@${agent.account.handle}`;

/** The owner's client that looks: signed in once, because it looks after every act. */
let reader: Context | undefined;

/** Returns in units what the owner can pay with, what the agent can, and what the owner has besides. */
async function figures(): Promise<{ own: bigint; agents: bigint; rest: bigint }> {
  reader ??= await client();
  const context = reader;
  const asset = await context.asset();
  const own = await decryptFunds(context, await ownParty(context), asset);
  const agents = await decryptFunds(context, await partyOf(context, bot()), asset);
  // A move to the available balance takes all of the deposited money. Whatever isn't added to the available balance
  // becomes a note.
  const rest = own.notes.reduce((sum, { amount }) => sum + amount, own.deposited);
  return { own: own.available.limit, agents: agents.available.limit, rest };
}

async function held(amount: string): Promise<string> {
  const to = `@${payee.account.handle}`;
  const created = await createTransfer(await agent.key(), { to, amount, asset: "USDG", confidential: true });
  if (created.outcome !== "held") throw new Error("this payment was not held");
  return created.held.id;
}

interface Act {
  /** Matches the path of the request that moves money. */
  posts: RegExp;
  /** Changes of the figures by one run, in units. */
  moves: { own?: bigint; agents?: bigint; rest?: bigint };
  /** Returns the operation, which can run more than once. */
  prepare(): Promise<(context: Context, options: AttemptOptions) => Promise<unknown>>;
}

const ACTS: Record<string, Act> = {
  send: {
    posts: /\/v1\/transfers$/,
    moves: { own: -3_000_000n },
    prepare: async () => (context, options) =>
      send(context, { to: payee.address, amount: "3", clientSigned: true, ...options }),
  },
  withdraw: {
    posts: /\/api\/withdrawals$/,
    moves: { own: -2_000_000n },
    prepare: async () => (context, options) => withdraw(context, { to: NOBODY, amount: "2", ...options }),
  },
  fund: {
    posts: /\/v1\/transfers$/,
    moves: { own: -1_000_000n, agents: 1_000_000n },
    prepare: async () => (context, options) =>
      send(context, { to: bot(), amount: "1", clientSigned: true, ...options }),
  },
  "take back": {
    posts: /\/v1\/transfers$/,
    moves: { own: 1_000_000n, agents: -1_000_000n },
    prepare: async () => (context, options) =>
      send(context, { from: bot(), to: `@${owner.account.handle}`, amount: "1", clientSigned: true, ...options }),
  },
  approve: {
    posts: /\/approve$/,
    moves: { agents: -2_000_000n },
    prepare: async () => {
      const id = await held("2");
      return (context, options) => approve(context, id, options);
    },
  },
  "send many": {
    posts: /\/v1\/transfers\/batch$/,
    moves: { own: -7_000_000n },
    prepare: async () => (context, options) =>
      sendMany(context, { payments: ["3", "3", "1"].map((amount) => ({ to: payee.address, amount })), ...options }),
  },
  "pay a request": {
    posts: /\/v1\/transfers$/,
    moves: { own: -2_000_000n },
    prepare: async () => {
      const asking = await clientOf(payee.walletKey, env().chains.test.rpcUrl);
      const { link } = await createRequest(asking, { amount: "2" });
      // The request's own id is its key, so it is paid once, however often and from wherever it is tried.
      return (context, { idempotencyKey: _, ...options }) => payRequest(context, link, {}, options);
    },
  },
  "pay a payout": {
    posts: /\/v1\/transfers\/batch$/,
    moves: { own: -4_000_000n },
    prepare: async () => {
      const rows = ["3", "1"].map((amount, row) => ({ to: `@${payee.account.handle}`, amount, reference: `${row}` }));
      const { payout_id } = await acceptByWallet(await client(), rows);
      return async (context, { onPending }) => payByWallet(context, payout_id, { onPending });
    },
  },
  "pay a run": {
    posts: /\/v1\/transfers$/,
    moves: { own: -2_000_000n },
    prepare: async () => {
      const start = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
      const payments = [{ to: `@${payee.account.handle}`, amount: "2" }];
      const created = new Date(Date.now() - 2 * DAY_MS);
      const rule = { frequency: "once", start } as const;
      const { schedule_id, due_runs } = await createSchedule(await client(), { rule, payments }, undefined, created);
      const run = due_runs[0]?.run_id ?? "";
      return (context, { onPending }) => payRun(context, schedule_id, run, { onPending });
    },
  },
  "pay from the agent": {
    posts: /\/v1\/transfers$/,
    moves: { agents: -1_000_000n },
    prepare: async () => (context, options) =>
      send(context, { from: bot(), to: payee.address, amount: "1", clientSigned: true, ...options }),
  },
  "withdraw from the agent": {
    posts: /\/api\/withdrawals$/,
    moves: { agents: -1_000_000n },
    prepare: async () => (context, options) => withdraw(context, { to: NOBODY, amount: "1", agent: bot(), ...options }),
  },
  makeAvailable: {
    posts: /\/api\/make-available$/,
    moves: { own: 5_000_000n, rest: -5_000_000n },
    prepare: async () => (context, options) => makeAvailable(context, { amount: "5", ...options }),
  },
  deposit: {
    posts: /\/api\/deposits$/,
    moves: { rest: 4_000_000n },
    prepare: async () => async (context, options) => deposit(context, await context.asset(), 4_000_000n, options),
  },
};

const lost = (): Response => {
  throw new TypeError("fetch failed");
};
const unavailable = () => new Response("<h1>503 Service Unavailable</h1>", { status: 503 });

/** Carries out the request, but returns another response. */
async function after(honest: () => Promise<Response>, other: () => Response): Promise<Response> {
  await honest();
  return other();
}

/** Each returns the response to the request that moves money, given the number of the attempt. */
const FAILURES: [string, (attempt: number, honest: () => Promise<Response>) => Promise<Response>][] = [
  ["is lost once", (attempt, honest) => (attempt === 1 ? after(honest, lost) : honest())],
  ["is replaced by a 503 each time, though it was carried out", (_, honest) => after(honest, unavailable)],
];

/** Returns a function that changes the responses to requests that move money, and one that counts these requests. */
function failing({ posts }: Act, become: (typeof FAILURES)[number][1]): { meddle: Meddle; attempts: () => number } {
  let attempts = 0;
  const meddle: Meddle = (request, honest) => {
    if (request.method !== "POST" || !posts.test(new URL(request.url).pathname)) return honest();
    attempts += 1;
    return become(attempts, honest);
  };
  return { meddle, attempts: () => attempts };
}

async function expectMoved({ moves }: Act, act: () => Promise<unknown>): Promise<void> {
  const before = await figures();
  await act();
  const { own = 0n, agents = 0n, rest = 0n } = moves;
  const expected = { own: before.own + own, agents: before.agents + agents, rest: before.rest + rest };
  await expect.poll(figures).toEqual(expected);
}

const CELLS = Object.entries(ACTS).flatMap(([name, act]) =>
  FAILURES.map(([how, become]) => [name, how, act, become] as const),
);

test.each(CELLS)("%s: when its response %s, it is done once and reported as done", async (_name, _how, act, become) => {
  const perform = await act.prepare();
  const { meddle, attempts } = failing(act, become);
  await expectMoved(act, async () => {
    await perform(await client(meddle), { idempotencyKey: crypto.randomUUID() });
  });
  expect(attempts()).toBeGreaterThan(0);
});

test.each(Object.entries(ACTS))(
  "%s: when its requests never arrive, the outcome is unknown, nothing moves, and with the record kept it is done once",
  async (_, act) => {
    const perform = await act.prepare();
    const idempotencyKey = crypto.randomUUID();
    let pending: PendingPayment | undefined;
    const onPending = (record: PendingPayment) => {
      pending = record;
    };
    const before = await figures();
    const options = { idempotencyKey, onPending };
    const { meddle, attempts } = failing(act, async () => lost());
    await expect(perform(await client(meddle, new Hurried({ maxRetries: 0 })), options)).rejects.toThrow();
    expect(attempts()).toBeGreaterThan(0);
    expect(await figures()).toEqual(before);
    await expectMoved(act, async () => perform(await client(), { ...options, pending }));
  },
);

/** Returns the owner's wallet, which asks a person: `reply` is what becomes of the transaction. */
function askingWallet(reply: (send: () => Promise<Hex>) => Promise<Hex>): { wallet: Wallet; asked: () => number } {
  const key = keyWallet(owner.walletKey);
  let asked = 0;
  const wallet: Wallet = {
    ...key,
    sendTransaction: async (call, rpcUrl, { leaving } = {}) => {
      await leaving?.();
      asked += 1;
      return reply(async () => (await key.sendTransaction?.(call, rpcUrl)) ?? "0x");
    },
  };
  return { wallet, asked: () => asked };
}

/** Returns the owner's client with a wallet that asks a person, and a way to deposit 0.001 ETH. */
async function depositing(reply: Parameters<typeof askingWallet>[0]) {
  const { wallet, asked } = askingWallet(reply);
  const context = await clientOf(wallet, env().chains.test.rpcUrl, { call: new Hurried({ maxRetries: 0 }) });
  const asset = await context.asset("ETH");
  const kept: PendingPayment[] = [];
  const onPending = (record: PendingPayment) => void kept.push(record);
  const once = (options: AttemptOptions = {}) => deposit(context, asset, 1_000_000n, { onPending, ...options });
  const deposited = async () => (await decryptFunds(context, await ownParty(context), asset)).deposited;
  return { context, asked, kept, once, deposited };
}

test("a deposit of ETH that the wallet sends and then reports as failed is found on chain, and repeating it sends nothing", async () => {
  await faucet(await client(), { asset: "ETH", amount: "1" });
  const { context, asked, kept, once, deposited } = await depositing(async (send) => {
    await send();
    throw new Error("The request timed out.");
  });
  const before = await deposited();
  const failed = await once({ idempotencyKey: "lost-hash" }).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(OutcomeUnknown);
  const [pending] = kept;
  expect(pending?.documents).toEqual([{ authorization: expect.any(String), deadline: 0 }]);
  await expect.poll(() => checkPayment(context, pending as PendingPayment)).toMatchObject({ outcome: "settled" });
  const again = await once({ pending });
  expect(again).toMatch(/^0x[0-9a-f]{64}$/);
  expect(asked()).toBe(1);
  await expect.poll(deposited).toBe(before + 1_000_000n);
  // Another deposit is not taken for it, and it is not taken for another.
  const other = await depositing((send) => send());
  expect(await other.once()).not.toBe(again);
});

test("while a wallet has neither sent nor declined a deposit of ETH, its outcome is open and it is not asked again", async () => {
  const { context, asked, kept, once } = await depositing(() => Promise.reject(new Error("The popup is gone.")));
  await expect(once({ idempotencyKey: "open" })).rejects.toBeInstanceOf(OutcomeUnknown);
  const [pending] = kept;
  expect(await checkPayment(context, pending as PendingPayment)).toEqual({ outcome: "open", until: null });
  await expect(once({ pending })).rejects.toBeInstanceOf(OutcomeUnknown);
  expect(asked()).toBe(1);
});

test("final blocks are searched once for an open deposit of ETH, which is found when the wallet sends it late", async () => {
  let sendLate: (() => Promise<Hex>) | undefined;
  const { context, kept, once } = await depositing((send) => {
    sendLate = send;
    return Promise.reject(new Error("The popup is gone."));
  });
  await expect(once()).rejects.toBeInstanceOf(OutcomeUnknown);
  const pending = kept[0] as PendingPayment;
  const { client } = await context.chain();
  const request = vi.spyOn(client, "request");
  const searchedFrom = async () => {
    request.mockClear();
    expect(await checkPayment(context, pending)).toEqual({ outcome: "open", until: null });
    const calls = request.mock.calls as unknown as [{ method: string; params: [{ fromBlock: Hex }] }][];
    return calls.flatMap(([{ method, params }]) => (method === "eth_getLogs" ? [BigInt(params[0].fromBlock)] : []));
  };
  const since = BigInt(pending.since_block);
  const { number: final } = await client.getBlock({ blockTag: (await context.info()).finality });
  expect(new Set(await searchedFrom())).toEqual(new Set([since]));
  for (const from of await searchedFrom()) expect(from).toBeGreaterThan(final);
  const tx_hash = await sendLate?.();
  await expect.poll(() => checkPayment(context, pending)).toMatchObject({ outcome: "settled", tx_hash });
});

test("a transaction of the wallet that succeeded without depositing anything is not taken for a deposit of ETH", async () => {
  const { context, kept, once } = await depositing(() => Promise.reject(new Error("The popup is gone.")));
  await expect(once()).rejects.toBeInstanceOf(OutcomeUnknown);
  const { documents, ...pending } = kept[0] as PendingPayment;
  const call = { to: NOBODY, data: "0x", value: 1n } as const;
  const tx_hash = (await keyWallet(owner.walletKey).sendTransaction?.(call, env().chains.test.rpcUrl)) as Hex;
  await (await context.chain()).mined(tx_hash);
  const named = documents.map((document) => ({ ...document, tx_hash }));
  expect(await checkPayment(context, { ...pending, documents: named })).toEqual({ outcome: "open", until: null });
  // A record of the version before has no other mark.
  const unmarked = { ...pending, documents: [{ tx_hash, deadline: 0 }] };
  expect(await checkPayment(context, unmarked)).toMatchObject({ outcome: "settled", tx_hash });
});

test("a deposit of ETH that the person declines moves nothing, and is not open", async () => {
  for (const declined of [{ code: 4001 }, new HalcyonError("aborted", "You did not sign.")]) {
    const { once } = await depositing(() => Promise.reject(Object.assign(new Error(), declined)));
    await expect(once()).rejects.toBeInstanceOf(NothingMoved);
  }
});

const ended = () =>
  Response.json({ error: { code: "unauthorized", message: "You have been signed out." } }, { status: 401 });

test.each(
  ["pay a request", "pay a payout", "pay a run"].flatMap((name) => [
    [name, "no request arrives", lost, "unavailable"] as const,
    [name, "the session has ended", ended, "unauthorized"] as const,
  ]),
)(
  "%s: when %s before anything was signed, it is refused as that, and nothing is left open",
  async (name, _, reply, code) => {
    const perform = await ACTS[name]?.prepare();
    const before = await figures();
    let left = 0;
    const onPending = () => {
      left += 1;
    };
    const meddle: Meddle = async () => reply();
    const call = new Hurried({ maxRetries: 0 });
    await expect(perform?.(await client(meddle, call), { onPending })).rejects.toMatchObject({ code });
    expect(left).toBe(0);
    expect(await figures()).toEqual(before);
  },
);

test("a payment that the service signed under a key is not made again by a client that signs under the same key", async () => {
  const idempotencyKey = crypto.randomUUID();
  const to = `@${payee.account.handle}`;
  const key = { ...(await owner.key()), idempotencyKey };
  const before = await figures();
  const created = await createTransfer(key, { to, amount: "2", asset: "USDG", confidential: true });
  await settled(paidTransfer(created).row.operationId);
  const again = await send(await client(), { to, amount: "2", clientSigned: true, idempotencyKey });
  expect(again).toMatchObject({ status: "confirmed" });
  expect(await figures()).toEqual({ ...before, own: before.own - 2_000_000n });
  await expect(send(await client(), { to, amount: "3", clientSigned: true, idempotencyKey })).rejects.toMatchObject({
    code: "idempotency_mismatch",
  });
});
