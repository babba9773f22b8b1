import { afterAll, beforeAll, expect, test } from "vitest";
import { env } from "@/lib/env";
import { createTransfer } from "@/lib/transfers/create-transfer";
import { paidTransfer } from "@/lib/transfers/paid-transfer";
import { Agent } from "@/test/accounts/agent";
import { Owner, settled } from "@/test/accounts/owner";
import { clientOf, type Meddle } from "@/test/services/in-process-service";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import { ownParty, partyOf } from "../account/party";
import { approve } from "../approvals/approve";
import type { Context } from "../context/context";
import { allocate } from "../funding/allocate";
import { deposit } from "../funding/deposit";
import { openFunds } from "../funds/funds";
import { createRequest } from "../payment-requests/create-request";
import { payRequest } from "../payment-requests/pay-request";
import { send } from "../payments/send";
import { sendMany } from "../payments/send-many";
import { withdraw } from "../payments/withdraw";
import { payByWallet } from "../payouts/pay-by-wallet";
import { acceptByWallet } from "../payouts/payouts-by-wallet";
import type { AttemptOptions } from "./attempt-options";
import type { PendingPayment } from "./pending-payment";

/* Every act that moves money, against every way its response is lost. The browser's tests show what is said of it. */

const CHAIN = 46630;
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
  await send(await client(), { to: bot(), amount: "50", prepared: true });
}, 180_000);
afterAll(() => services?.stop(), 30_000);

const client = (meddle?: Meddle) => clientOf(owner.walletKey, env().chains.test.rpcUrl, { meddle });
const bot = () => `@${agent.account.handle}`;

/** What the owner can pay with, what the agent can, and what the owner has beside that, in units. */
async function figures(): Promise<{ own: bigint; agents: bigint; rest: bigint }> {
  const context = await client();
  const asset = await context.asset();
  const own = await openFunds(context, await ownParty(context), asset);
  const agents = await openFunds(context, await partyOf(context, bot()), asset);
  // An allocation takes all of the credit: what does not become available is a note.
  const rest = own.notes.reduce((sum, { amount }) => sum + amount, own.credit);
  return { own: own.budget.limit, agents: agents.budget.limit, rest };
}

async function held(amount: string): Promise<string> {
  const to = `@${payee.account.handle}`;
  const created = await createTransfer(await agent.key(), { to, amount, asset: "USDG", confidential: true });
  if (created.outcome !== "held") throw new Error("this payment was not held");
  return created.held.id;
}

interface Act {
  /** Whether a request is the one that moves money. */
  posts: RegExp;
  /** What one act moves, in units. */
  moves: { own?: bigint; agents?: bigint; rest?: bigint };
  /** Returns the act, to be done as often as it takes. */
  prepare(): Promise<(context: Context, options: AttemptOptions) => Promise<unknown>>;
}

const ACTS: Record<string, Act> = {
  send: {
    posts: /\/api\/transfers$/,
    moves: { own: -3_000_000n },
    prepare: async () => (context, options) =>
      send(context, { to: payee.address, amount: "3", prepared: true, ...options }),
  },
  withdraw: {
    posts: /\/api\/withdrawals$/,
    moves: { own: -2_000_000n },
    prepare: async () => (context, options) => withdraw(context, { to: NOBODY, amount: "2", ...options }),
  },
  fund: {
    posts: /\/api\/transfers$/,
    moves: { own: -1_000_000n, agents: 1_000_000n },
    prepare: async () => (context, options) => send(context, { to: bot(), amount: "1", prepared: true, ...options }),
  },
  "take back": {
    posts: /\/api\/transfers$/,
    moves: { own: 1_000_000n, agents: -1_000_000n },
    prepare: async () => (context, options) =>
      send(context, { from: bot(), to: `@${owner.account.handle}`, amount: "1", prepared: true, ...options }),
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
    posts: /\/api\/transfers\/batch$/,
    moves: { own: -7_000_000n },
    prepare: async () => (context, options) =>
      sendMany(context, { payments: ["3", "3", "1"].map((amount) => ({ to: payee.address, amount })), ...options }),
  },
  "pay a request": {
    posts: /\/api\/transfers$/,
    moves: { own: -2_000_000n },
    prepare: async () => {
      const asking = await clientOf(payee.walletKey, env().chains.test.rpcUrl);
      const { link } = await createRequest(asking, { amount: "2" });
      // Its own id is its key: it is paid once, however often and from wherever.
      return (context, { idempotencyKey: _, ...options }) => payRequest(context, link, {}, options);
    },
  },
  "pay a payout": {
    posts: /\/api\/transfers\/batch$/,
    moves: { own: -4_000_000n },
    prepare: async () => {
      const rows = ["3", "1"].map((amount, row) => ({ to: `@${payee.account.handle}`, amount, reference: `${row}` }));
      const { payout_id } = await acceptByWallet(await client(), rows);
      return async (context, { onPending }) => payByWallet(context, payout_id, { onPending });
    },
  },
  "pay from the agent": {
    posts: /\/api\/transfers$/,
    moves: { agents: -1_000_000n },
    prepare: async () => (context, options) =>
      send(context, { from: bot(), to: payee.address, amount: "1", prepared: true, ...options }),
  },
  "withdraw from the agent": {
    posts: /\/api\/withdrawals$/,
    moves: { agents: -1_000_000n },
    prepare: async () => (context, options) => withdraw(context, { to: NOBODY, amount: "1", agent: bot(), ...options }),
  },
  allocate: {
    posts: /\/api\/allocations$/,
    moves: { own: 5_000_000n, rest: -5_000_000n },
    prepare: async () => (context, options) => allocate(context, { amount: "5", ...options }),
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

/** Carries it out, and returns something else. */
async function after(honest: () => Promise<Response>, other: () => Response): Promise<Response> {
  await honest();
  return other();
}

/** Each says what becomes of the request that moves money, at its first try and at each one after. */
const FAILURES: [string, (attempt: number, honest: () => Promise<Response>) => Promise<Response>][] = [
  ["is lost once", (attempt, honest) => (attempt === 1 ? after(honest, lost) : honest())],
  ["is replaced by a 503 each time, though it was carried out", (_, honest) => after(honest, unavailable)],
];

/** What meddles with the requests that move money, and how many there were. */
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
  await expect.poll(figures, { timeout: 30_000 }).toEqual(expected);
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
    await expect(perform(await client(meddle), options)).rejects.toThrow();
    expect(attempts()).toBeGreaterThan(0);
    expect(await figures()).toEqual(before);
    await expectMoved(act, async () => perform(await client(), { ...options, pending }));
  },
);

test("a payment that the service signed under a key is not made again by a client that signs under the same key", async () => {
  const idempotencyKey = crypto.randomUUID();
  const to = `@${payee.account.handle}`;
  const key = { ...(await owner.key()), idempotencyKey };
  const before = await figures();
  const created = await createTransfer(key, { to, amount: "2", asset: "USDG", confidential: true });
  await settled(paidTransfer(created).row.operationId);
  const again = await send(await client(), { to, amount: "2", prepared: true, idempotencyKey });
  expect(again).toMatchObject({ status: "confirmed" });
  expect(await figures()).toEqual({ ...before, own: before.own - 2_000_000n });
  await expect(send(await client(), { to, amount: "3", prepared: true, idempotencyKey })).rejects.toMatchObject({
    code: "idempotency_mismatch",
  });
});
