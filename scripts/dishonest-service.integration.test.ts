import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { db } from "@/db/client";
import { chainCursors } from "@/db/schema/ledger";
import { assetBySymbol } from "@/lib/base/assets";
import { env } from "@/lib/base/env";
import { publicClient } from "@/lib/chain/clients";
import { documentCalldata } from "@/lib/chain/document-calldata";
import { batchPaymentSeed } from "@/lib/ledger/crypto/batch-payment-seed";
import { paymentSeed, renewedSeed } from "@/lib/ledger/crypto/payment-seed";
import { newRequestTag } from "@/lib/ledger/crypto/request-tag";
import { payoutRowSeed } from "@/lib/ledger/encrypted/payout";
import type { HistoryEntry } from "@/lib/ledger/history/account-history";
import type { SignedDocument } from "@/lib/ledger/prepare/documents";
import { createTransfer } from "@/lib/payments/create-transfer";
import { ownParty } from "@/sdk/account/party";
import type { LedgerView } from "@/sdk/api/api-types";
import { PinMismatch } from "@/sdk/api/pin-mismatch";
import type { Context } from "@/sdk/context/context";
import { renewPaymentKey } from "@/sdk/context/renew-payment-key";
import { approve } from "@/sdk/payments/approvals/approve";
import type { AttemptOptions } from "@/sdk/payments/attempts/attempt-options";
import { checkPayment } from "@/sdk/payments/attempts/check-payment";
import { OutcomeUnknown } from "@/sdk/payments/attempts/outcome-unknown";
import type { PendingPayment } from "@/sdk/payments/attempts/pending-payment";
import { getLimits, setLimits } from "@/sdk/payments/funding/limits";
import { makeAvailable } from "@/sdk/payments/funding/make-available";
import { preparePayment } from "@/sdk/payments/payment";
import { payByWallet } from "@/sdk/payments/payouts/pay-by-wallet";
import { acceptByWallet, decryptPayout, decryptRows } from "@/sdk/payments/payouts/payouts-by-wallet";
import { prepareTransfer } from "@/sdk/payments/prepare-transfer";
import type { ClientSignedTransferBody } from "@/sdk/payments/prepare-transfer-input";
import { resolveRecipient } from "@/sdk/payments/recipient";
import { payRun } from "@/sdk/payments/schedules/pay-run";
import { getSchedule } from "@/sdk/payments/schedules/schedule-calls";
import { changeSchedule, createSchedule } from "@/sdk/payments/schedules/write-schedule";
import { send } from "@/sdk/payments/send";
import { sendMany } from "@/sdk/payments/send-many";
import { decryptBalance } from "@/sdk/payments/transfers/decrypt";
import { readTransferCopies } from "@/sdk/payments/transfers/encrypted-transfers";
import { withdraw } from "@/sdk/payments/withdraw";
import { Agent } from "@/test/accounts/agent";
import type { AvailableHolder } from "@/test/accounts/available-holder";
import { Owner, settled } from "@/test/accounts/owner";
import { chainHistory } from "@/test/chain/chain-history";
import { sendFromFaucet } from "@/test/chain/send-from-faucet";
import { clientOf, type Meddle } from "@/test/services/in-process-service";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";

/*
 * A service that submits documents to the chain itself and lies about it, with a client that has its own RPC. Only the
 * chain counts: money moves once, and the caller learns what the chain shows.
 */

const CHAIN = 46630;
const NOBODY = "0x000000000000000000000000000000000000dEaD";
let services: WorkingServices;
let owner: Owner;
let payee: Owner;
/** Pays the payee too. */
let rival: Owner;
let agent: Agent;
/** Payments of 2 USDG that the agent requested and its owner has to approve. */
const waiting: string[] = [];
/** Two more, which no one approves. */
const unapproved: string[] = [];

beforeAll(async () => {
  services = await startWorkingServices();
  [owner, payee] = [await Owner.funded(CHAIN, 200_000_000n), await Owner.create(CHAIN)];
  rival = await Owner.funded(CHAIN, 100_000_000n);
  await settled(await payee.enroll());
  const registered = await Agent.create(owner, { hitlThreshold: 0n });
  agent = registered.agent;
  await settled(registered.operationId);
  await settled(await owner.mint("500"));
  await settled(await owner.deposit(500_000_000n));
  await send(await client(), { to: `@${agent.account.handle}`, amount: "50", clientSigned: true });
  for (let i = 0; i < 2; i++) waiting.push(await held("2"));
  for (const amount of ["2", "1"]) unapproved.push(await held(amount));
});
afterAll(() => services?.stop());
// The service must show what the last test made. The ledger refuses a document over an older state, and then nothing is
// carried.
beforeEach(async () => {
  const newest = await publicClient(CHAIN).getBlockNumber();
  const indexed = async () => (await db().select().from(chainCursors).where(eq(chainCursors.chainId, CHAIN)))[0];
  await expect.poll(async () => (await indexed())?.blockNumber).toBeGreaterThanOrEqual(newest);
});

const rpcUrl = () => env().chains.test.rpcUrl;
const client = (meddle?: Meddle) => clientOf(owner.walletKey, rpcUrl(), { meddle });

/** Returns everything that moved money of an account or agent, according to the chain. */
const historyOf = async (holder: AvailableHolder): Promise<HistoryEntry[]> =>
  (await chainHistory(CHAIN, holder)).entries;

/** Returns what moved while `work` ran. */
async function movedBy(
  holder: AvailableHolder,
  act: () => Promise<unknown>,
): Promise<(readonly [string, bigint | null])[]> {
  const before = (await historyOf(holder)).length;
  await act();
  return (await historyOf(holder)).slice(before).map(({ type, amount }) => [type, amount] as const);
}

/** Returns the available balance in units, according to the chain. */
async function limitOf(holder: AvailableHolder): Promise<bigint> {
  const { assets } = await chainHistory(CHAIN, holder);
  return assets.get(assetBySymbol(CHAIN).address)?.available?.limit ?? 0n;
}

/** Returns the service's view of the owner's USDG. */
const readView = async (context: Context) => (await context.session()).get<object>("/api/ledger", { asset: "USDG" });

/** Returns the document in a request; null if there is none. */
async function documentIn(request: Request): Promise<SignedDocument | null> {
  if (request.method !== "POST") return null;
  const { client_signed: signed } = (await request
    .clone()
    .json()
    .catch(() => ({}))) as { client_signed?: SignedDocument };
  return signed ?? null;
}

const carry = (document: SignedDocument) => sendFromFaucet(CHAIN, documentCalldata(document)).catch(() => {});

/** Submits every document to the chain and responds with a lie. */
const carrying =
  (lie: () => Response): Meddle =>
  async (request, honest) => {
    const document = await documentIn(request);
    if (!document) return honest();
    await carry(document);
    return lie();
  };

const refusal = (status: number, code: string) => () =>
  Response.json({ error: { code, message: "This is not true." } }, { status });
const silence = (): Response => {
  throw new TypeError("fetch failed");
};
const failed = () =>
  Response.json(
    {
      transfer_id: "tr_none",
      operation_id: "op_none",
      status: "failed",
      tx_hash: `0x${"00".repeat(32)}`,
      to: "@nobody",
      confidential: true,
      created_at: "2026-01-01T00:00:00Z",
    },
    { status: 201 },
  );

/** Lets the agent request a payment that its owner has to approve. */
async function held(amount: string): Promise<string> {
  const to = `@${payee.account.handle}`;
  const created = await createTransfer(await agent.key(), { to, amount, asset: "USDG", confidential: true });
  if (created.outcome !== "held") throw new Error("this payment was not held");
  return created.held.id;
}

const approved: string[] = [];
const bot = () => `@${agent.account.handle}`;
/** Two of its payments are identical; each has its own note. */
const many = () => ["3", "3", "1"].map((amount) => ({ to: payee.address, amount }));

interface Act {
  act(context: Context): Promise<unknown>;
  /** Whose available balance it is; the owner's by default. */
  holder?: () => AvailableHolder;
  /**
   * The types and amounts of the events (for a move to the available balance the new limit), and the change of the
   * available balance.
   */
  moves: readonly [entries: readonly (readonly [HistoryEntry["type"], bigint | null])[], change: bigint];
}

const ACTS = {
  send: {
    act: (context) => send(context, { to: payee.address, amount: "3", clientSigned: true }),
    moves: [[["sent", 3_000_000n]], -3_000_000n],
  },
  withdraw: {
    act: (context) => withdraw(context, { to: NOBODY, amount: "2" }),
    moves: [[["released", 2_000_000n]], -2_000_000n],
  },
  fund: {
    act: (context) => send(context, { to: agent.address, amount: "1", clientSigned: true }),
    moves: [[["funded_out", 1_000_000n]], -1_000_000n],
  },
  approve: {
    act: (context) => {
      const id = waiting.pop() ?? "";
      approved.push(id);
      return approve(context, id);
    },
    holder: () => agent,
    moves: [[["sent", 2_000_000n]], -2_000_000n],
  },
  makeAvailable: {
    act: (context) => makeAvailable(context, { amount: "5" }),
    moves: [[["make_available", null]], 5_000_000n],
  },
  sendMany: {
    act: (context) => sendMany(context, { payments: many() }),
    moves: [
      [
        ["sent", 3_000_000n],
        ["sent", 3_000_000n],
        ["sent", 1_000_000n],
      ],
      -7_000_000n,
    ],
  },
  "payment from the agent": {
    act: (context) => send(context, { from: bot(), to: payee.address, amount: "1", clientSigned: true }),
    holder: () => agent,
    moves: [[["sent", 1_000_000n]], -1_000_000n],
  },
  "withdrawal from the agent": {
    act: (context) => withdraw(context, { to: NOBODY, amount: "1", agent: bot() }),
    holder: () => agent,
    moves: [[["released", 1_000_000n]], -1_000_000n],
  },
} satisfies Record<string, Act> as Record<ActName, Act>;
type ActName =
  | "send"
  | "withdraw"
  | "fund"
  | "approve"
  | "makeAvailable"
  | "sendMany"
  | `${"payment" | "withdrawal"} from the agent`;

/** What the service says about a document that it has submitted, and what is tried against that lie. */
const LIES: [string, () => Response, ActName[]][] = [
  ["answers 409 available_balance_changed", refusal(409, "available_balance_changed"), Object.keys(ACTS) as ActName[]],
  ["answers 503", refusal(503, "unavailable"), ["send", "makeAvailable", "sendMany", "withdrawal from the agent"]],
  ["answers nothing", silence, ["withdraw", "approve", "payment from the agent"]],
  ["says that it failed", failed, ["send", "fund"]],
  ["refuses it", refusal(403, "policy_violation"), ["send", "makeAvailable", "sendMany"]],
];

test.each(["a payment", "a refund"])(
  "%s whose recipient the service names otherwise than the agent did is not approved",
  async (what) => {
    const id = await held("2");
    const lying: Meddle = async (request, honest) => {
      const response = await honest();
      if (request.method !== "GET" || !new URL(request.url).pathname.endsWith(`/transactions/${id}`)) return response;
      const refund = what === "a refund" ? { refund_of: "tr_01KADJ2C9B3T6Y0V8ZQ4N5M7WX" } : {};
      return Response.json({ ...(await response.json()), to: NOBODY, ...refund });
    };
    const context = await client(lying);
    expect(await movedBy(agent, () => expect(approve(context, id)).rejects.toBeInstanceOf(PinMismatch))).toEqual([]);
  },
);

test.each(LIES.flatMap(([words, lie, names]) => names.map((name) => [words, name, lie] as const)))(
  "invariant 20: of a service that carries what is signed and then %s, one %s moves money once and is reported as made",
  async (_, name, lie) => {
    const { act, holder = () => owner, moves } = ACTS[name];
    const before = await limitOf(holder());
    const context = await client(carrying(lie));
    const outcome = await movedBy(holder(), async () => {
      expect(JSON.stringify(await act(context))).toMatch(/"0x[0-9a-f]{64}"/);
    });
    const [entries, change] = moves;
    expect(outcome).toEqual(entries.map(([type, amount]) => [type, amount ?? before + change]));
    expect(await limitOf(holder())).toBe(before + change);
  },
);

test("an approval that was paid behind the service's back is not paid again by an honest one: it makes the same note", async () => {
  const [id = ""] = approved;
  const before = await limitOf(agent);
  // The service never received the decision.
  await approve(await client(), id);
  expect(await limitOf(agent)).toBe(before);
});

test("a service that shows an older state and calls a payment over it confirmed is not believed", async () => {
  // Honest payments, so that the service knows the state before the last of them, and the one after.
  const pay = async () => send(await client(), { to: payee.address, amount: "1", clientSigned: true });
  await pay();
  const old = await readView(await client());
  await pay();
  const before = await limitOf(owner);
  const lying: Meddle = async (request, honest) => {
    if (request.method === "GET" && new URL(request.url).pathname === "/api/ledger") return Response.json(old);
    const document = await documentIn(request);
    if (!document) return honest();
    await carry(document);
    return Response.json({ ...(await failed().json()), status: "confirmed" }, { status: 201 });
  };
  const context = await client(lying);
  const records: PendingPayment[] = [];
  const onPending = (pending: PendingPayment) => void records.push(pending);
  await send(context, { to: payee.address, amount: "3", clientSigned: true, wait: false, onPending });
  const [pending] = records;
  if (!pending) throw new Error("a document left without its record");
  // Nothing moved, or it is not known yet: the used commitment shows only once both payments are in the blocks that are
  // read.
  expect(["open", "nothing_moved"]).toContain((await checkPayment(context, pending)).outcome);
  // On this chain no block can accept it any more, so what the service confirmed did not happen.
  const [document] = pending.documents;
  const late = { ...pending, documents: [{ ...document, deadline: 1 }] };
  expect(await checkPayment(context, late)).toEqual({ outcome: "nothing_moved" });
  expect(await limitOf(owner)).toBe(before);
});

test("a renewal of the payment key that the service withholds is not reported as done, whatever the key", async () => {
  const taken = { operation_id: "op_none", status: "pending", tx_hash: `0x${"00".repeat(32)}` };
  const keeping: Meddle = async (request, honest) =>
    new URL(request.url).pathname === "/api/payment-key" ? Response.json(taken, { status: 202 }) : honest();
  const context = await clientOf(owner.walletKey, rpcUrl(), { meddle: keeping, relayPatience: 1 });
  await expect(renewPaymentKey(context)).rejects.toMatchObject({ code: "unavailable" });
});

test("documents that are kept back and carried later pay once: the caller learns that the outcome is unknown, and then what the chain shows", async () => {
  const kept: SignedDocument[] = [];
  const records: PendingPayment[] = [];
  const hoard: Meddle = async (request, honest) => {
    const document = await documentIn(request);
    if (!document) return honest();
    kept.push(document);
    return refusal(409, "available_balance_changed")();
  };
  const context = await client(hoard);
  const input = { to: payee.address, amount: "3", clientSigned: true, idempotencyKey: "order-7" };
  const keep = (pending: PendingPayment) => void records.push(structuredClone(pending));
  const error = await send(context, { ...input, onPending: keep }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OutcomeUnknown);
  const { pending } = error as OutcomeUnknown;
  expect(records.at(-1)).toEqual(pending);
  expect(kept.length).toBeGreaterThan(1);
  expect(new Set(kept.map((document) => "note" in document && document.note)).size).toBe(1);
  expect(await checkPayment(context, pending)).toMatchObject({ outcome: "open" });
  expect(JSON.stringify(pending)).not.toMatch(/3000000|"3"/);
  const outcome = movedBy(owner, async () => {
    for (const document of kept) await carry(document);
    // From another process that has only the key.
    expect(await send(await client(), input)).toMatchObject({ status: "confirmed" });
  });
  expect(await outcome).toEqual([["sent", 3_000_000n]]);
  expect(await checkPayment(context, pending)).toMatchObject({ outcome: "settled", final: true });
  await expect(send(await client(), { ...input, amount: "4" })).rejects.toMatchObject({ code: "idempotency_mismatch" });
});

/** Payments whose documents a service withholds, refusing each, before all of them are submitted later. */
const KEPT_BACK: Record<string, (context: Context, options: AttemptOptions) => Promise<unknown>> = {
  withdrawal: (context, options) => withdraw(context, { to: NOBODY, amount: "2", ...options }),
  "move to the agent": (context, options) => send(context, { to: bot(), amount: "2", clientSigned: true, ...options }),
  batch: (context, options) =>
    sendMany(context, { payments: ["1", "1"].map((amount) => ({ to: payee.address, amount })), ...options }),
  "payment from the agent": (context, options) =>
    send(context, { from: bot(), to: payee.address, amount: "2", clientSigned: true, ...options }),
  "withdrawal from the agent": (context, options) =>
    withdraw(context, { to: NOBODY, amount: "2", agent: bot(), ...options }),
};

test.each(Object.entries(KEPT_BACK))(
  "of a %s whose documents are kept back and carried later one settles",
  async (_, act) => {
    const kept: SignedDocument[] = [];
    const hoard: Meddle = async (request, honest) => {
      const document = await documentIn(request);
      if (!document) return honest();
      kept.push(document);
      // A payment in between, so that the next document builds on another commitment.
      if (kept.length === 1) await send(await client(), { to: payee.address, amount: "1", clientSigned: true });
      return refusal(409, "available_balance_changed")();
    };
    const options = { idempotencyKey: crypto.randomUUID() };
    await expect(act(await client(hoard), options)).rejects.toBeInstanceOf(OutcomeUnknown);
    expect(kept.length).toBeGreaterThan(1);
    const limits = async () => (await limitOf(owner)) + (await limitOf(agent));
    const before = await limits();
    for (const document of kept) await carry(document);
    const after = await limits();
    // A move within the account leaves the total unchanged. Every other act takes 2 USDG, however many of its documents
    // were submitted.
    expect(before - after).toBe(kept[0]?.kind === "fund" ? 0n : 2_000_000n);
    await act(await client(), options);
    expect(await limits()).toBe(after);
  },
);

test("a handle that resolves differently on another machine is paid once under its key, whatever state the service shows", async () => {
  const other = await Owner.create(CHAIN);
  await settled(await other.enroll());
  const kept: SignedDocument[] = [];
  const hoard: Meddle = async (request, honest) => {
    const document = await documentIn(request);
    if (!document) return honest();
    kept.push(document);
    return refusal(403, "policy_violation")();
  };
  const input = { to: `@${payee.account.handle}`, amount: "3", clientSigned: true, idempotencyKey: "order-8" };
  await expect(send(await client(hoard), input)).rejects.toBeInstanceOf(OutcomeUnknown);
  const [first] = kept;
  if (!first) throw new Error("no document left");
  let shown = false;
  const lying: Meddle = async (request, honest) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/api/accounts/resolve") return Response.json({ address: other.address });
    if (pathname === "/api/ledger" && !shown) {
      // As if the withheld document were on its way.
      shown = true;
      const view = (await (await honest()).json()) as { available: object };
      const newest = { newest_commitment: first.new_available, ...first.next_state };
      return Response.json({ ...view, available: { ...view.available, ...newest } });
    }
    const document = await documentIn(request);
    if (!document) return honest();
    await carry(first);
    await carry(document);
    return refusal(403, "policy_violation")();
  };
  const moved = await movedBy(owner, async () => {
    await expect(send(await client(lying), input)).rejects.toThrow();
  });
  expect(moved).toEqual([["sent", 3_000_000n]]);
});

/** Pays the note of `seed` to the payee from an account of its own, as a recipient can that reads amount and salt. */
async function openFirst(seed: Uint8Array, units: bigint): Promise<void> {
  const context = await clientOf(rival.walletKey, rpcUrl());
  const [party, asset, to] = [
    await ownParty(context),
    await context.asset(),
    await resolveRecipient(context, rival.address, payee.address),
  ];
  const deadline = await (await context.chain()).deadline();
  const marks = { seed, tag: newRequestTag(), deadline };
  await sendFromFaucet(
    CHAIN,
    documentCalldata(await preparePayment(context, party, { to, asset, units, kind: "transfer" }, marks)),
  );
}

/**
 * Returns a service whose friends open the notes with these seeds before it carries the documents, and the documents.
 */
function beaten(units: bigint, ...seeds: Uint8Array[]): { meddle: Meddle; documents: SignedDocument[] } {
  const documents: SignedDocument[] = [];
  const meddle: Meddle = async (request, honest) => {
    const document = await documentIn(request);
    if (!document) return honest();
    documents.push(document);
    const seed = seeds.shift();
    if (seed) await openFirst(seed, units);
    await carry(document);
    return refusal(403, "policy_violation")();
  };
  return { meddle, documents };
}

/** Returns the first seed of a payment of the owner. */
async function seedOf(key: string): Promise<Uint8Array> {
  const { seedKey } = await (await client()).vault();
  return paymentSeed(seedKey, owner.scope, owner.address, key);
}

test("a payment whose note someone else opened first, twice, is then made under its key, and once", async () => {
  const input = { to: payee.address, amount: "3", clientSigned: true, idempotencyKey: "order-9" };
  const seed = await seedOf(input.idempotencyKey);
  const [first, second] = [beaten(3_000_000n, seed), beaten(3_000_000n, renewedSeed(seed, owner.scope, 1))];
  const records: PendingPayment[] = [];
  const onPending = (pending: PendingPayment) => void records.push(structuredClone(pending));
  const moved = await movedBy(owner, async () => {
    await expect(send(await client(first.meddle), { ...input, onPending })).rejects.toBeInstanceOf(OutcomeUnknown);
    const [pending] = records;
    // With its record, and then from a process that has only the key.
    await expect(send(await client(second.meddle), { ...input, pending })).rejects.toBeInstanceOf(OutcomeUnknown);
    const paid = await send(await client(), input);
    expect(paid).toMatchObject({ status: "confirmed" });
    const tx_hash = "tx_hash" in paid && paid.tx_hash;
    for (const again of [input, { ...input, pending }]) {
      expect(await send(await client(), again)).toMatchObject({ status: "confirmed", tx_hash });
    }
    for (const document of [...first.documents, ...second.documents]) await carry(document);
    await expect(send(await client(), { ...input, amount: "4" })).rejects.toMatchObject({
      code: "idempotency_mismatch",
    });
  });
  expect(moved).toEqual([["sent", 3_000_000n]]);
});

test("a batch of which someone else opened a note first is then paid under its key, to each of its recipients, once", async () => {
  const input = { payments: many(), idempotencyKey: "order-10" };
  const { meddle, documents } = beaten(1_000_000n, batchPaymentSeed(await seedOf("order-10"), owner.scope, 2));
  const moved = await movedBy(owner, async () => {
    await expect(sendMany(await client(meddle), input)).rejects.toBeInstanceOf(OutcomeUnknown);
    const paid = await sendMany(await client(), input);
    expect(paid).toMatchObject({ status: "confirmed" });
    expect(await sendMany(await client(), input)).toMatchObject({ tx_hash: paid.tx_hash });
    for (const document of documents) await carry(document);
  });
  expect(moved).toEqual(ACTS.sendMany.moves[0]);
});

test("a payout's row whose note someone else opened first fails, and its other rows are paid", async () => {
  const rows = ["3", "1"].map((amount, row) => ({ to: payee.address, amount, reference: `${row}` }));
  const context = await client();
  const { payout_id } = await acceptByWallet(context, rows);
  const opened = await decryptPayout(context, payout_id);
  const [one] = (await decryptRows(context, opened)).rows;
  if (!opened.key || !one) throw new Error("a new payout has no key or no row");
  await openFirst(payoutRowSeed(opened.key, owner.scope, one.row), 3_000_000n);
  const rowsNow = async () => (await decryptRows(context, opened)).rows.map(({ row }) => row.error?.code ?? row.status);
  const moved = await movedBy(owner, async () => {
    // It returns once the service has taken the payments; a block has them later.
    await payByWallet(context, payout_id);
    await expect.poll(rowsNow).toEqual(["transfer_failed", "paid"]);
  });
  expect(moved).toEqual([["sent", 1_000_000n]]);
});

/** Changes the JSON of responses whose path ends so. */
const changing =
  (path: RegExp, change: (body: Record<string, unknown>) => object): Meddle =>
  async (request, answer) => {
    const response = await answer();
    if (!path.test(new URL(request.url).pathname) || !response.ok) return response;
    return Response.json(change((await response.json()) as Record<string, unknown>), { status: response.status });
  };

const FIRST_TWICE = ({ rows, ...page }: Record<string, unknown>) => {
  const list = rows as unknown[];
  return { ...page, rows: list.length > 1 ? [list[0], list[0]] : list };
};

test.each<[string, Meddle, readonly bigint[]]>([
  ["lists a row twice, in place of another", changing(/\/rows$/, FIRST_TWICE), [3_000_000n, 1_000_000n]],
  [
    "calls it finished before anything was paid",
    changing(/\/resume$/, (payout) => ({ ...payout, status: "finished", rows_pending: 0, rows_paid: 2 })),
    [],
  ],
  ["names fewer rows than it was accepted with", changing(/\/payouts\/po_[^/]+$/, (one) => ({ ...one, rows: 1 })), []],
])("a payout pays each of its rows once, or says why not: by a service that %s", async (_, lie, most) => {
  const rows = ["3", "1"].map((amount) => ({ to: payee.address, amount }));
  const { payout_id } = await acceptByWallet(await client(), rows);
  let done: unknown;
  const moved = await movedBy(owner, async () => {
    done = await payByWallet(await client(lie), payout_id).catch((error: unknown) => error);
    await expect.poll(async () => (await decryptPayout(await client(), payout_id)).payout.rows_sent).toBe(0);
  });
  const amounts = moved.map(([, amount]) => amount);
  expect(most).toEqual(expect.arrayContaining(amounts));
  expect(new Set(amounts).size).toBe(amounts.length);
  if (amounts.length < rows.length) expect(done).toBeInstanceOf(Error);
  else expect(done).toMatchObject({ rows: 2, rows_paid: 2 });
});

test("a run that the service calls paid, and the ledger does not show, is not reported as paid", async () => {
  const start = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const payments = [{ to: payee.address, amount: "1" }];
  const created = new Date(Date.now() - 2 * 86_400_000);
  const rule = { frequency: "once", start } as const;
  const { schedule_id, due_runs } = await createSchedule(await client(), { rule, payments }, undefined, created);
  const run = due_runs[0]?.run_id ?? "";
  const lying = await client(changing(/\/runs\/run_[^/]+$/, (one) => ({ ...one, status: "paid" })));
  await expect(payRun(lying, schedule_id, run)).rejects.toMatchObject({ code: "unavailable" });
  const [paid] = await movedBy(owner, async () => {
    expect(await payRun(await client(), schedule_id, run)).toMatchObject({ status: "paid" });
    // Now the ledger shows it, whatever the service says.
    const denying = await client(changing(/\/runs\/run_[^/]+$/, (one) => ({ ...one, status: "due", transfers: [] })));
    expect(await payRun(denying, schedule_id, run)).toMatchObject({ status: "paid" });
  });
  expect(paid).toEqual(["sent", 1_000_000n]);
});

test("limits that the service denies are changed, not replaced, and shown as the ledger has them", async () => {
  const limited = await Owner.funded(CHAIN, 1_000_000n);
  const context = (meddle?: Meddle) => clientOf(limited.walletKey, rpcUrl(), { meddle });
  await setLimits(await context(), { daily_limit_usdg: 50, per_transaction_limit_usdg: 20 });
  const denying: Meddle = async (request, answer) => {
    const isAsked = request.method === "GET" && new URL(request.url).pathname === "/api/limits";
    if (!isAsked) return answer();
    return Response.json({ error: { code: "not_found", message: "There are none." } }, { status: 404 });
  };
  await expect(setLimits(await context(denying), { daily_limit_usdg: 60 })).rejects.toMatchObject({
    code: "not_found",
  });
  await expect(getLimits(await context(denying))).rejects.toMatchObject({ code: "policy_not_in_force" });
  const inflating = changing(/^\/api\/limits$/, (limits) => ({ ...limits, daily_limit_usdg: 500 }));
  expect(await getLimits(await context(inflating))).toMatchObject({ daily_limit_usdg: 500, in_force: "no" });
  expect(await getLimits(await context())).toMatchObject({ daily_limit_usdg: 50, in_force: "yes" });
});

test("a payment that is prepared again after someone else opened its note has another note", async () => {
  const input = { to: payee.address, amount: "1", idempotencyKey: "order-11" };
  const noteIn = ({ client_signed: signed }: ClientSignedTransferBody) => "note" in signed && signed.note;
  const before = noteIn(await prepareTransfer(await client(), input));
  expect(noteIn(await prepareTransfer(await client(), input))).toBe(before);
  await openFirst(await seedOf("order-11"), 1_000_000n);
  const after = noteIn(await prepareTransfer(await client(), input));
  expect(after).not.toBe(before);
  expect(await movedBy(owner, async () => send(await client(), { ...input, clientSigned: true }))).toHaveLength(1);
  expect(noteIn(await prepareTransfer(await client(), input))).toBe(after);
});

test.each<[string, (view: LedgerView) => LedgerView]>([
  ["another deposited amount", (view) => ({ ...view, deposited: `${BigInt(view.deposited) + 7_000_000n}` })],
  [
    "no encrypted state of the available balance",
    (view) => ({ ...view, available: { ...view.available, encrypted: null } }),
  ],
])("a service that shows %s changes nothing of the balance that the wallet decrypts", async (_, lie) => {
  const honest = await decryptBalance(await client());
  const lying: Meddle = async (request, answer) => {
    if (new URL(request.url).pathname !== "/api/ledger") return answer();
    return Response.json(lie((await (await answer()).json()) as LedgerView));
  };
  expect(await decryptBalance(await client(lying))).toEqual(honest);
});

test("a service that lists a received payment twice, or one that was made available, changes nothing of the balance", async () => {
  const received = await clientOf(payee.walletKey, rpcUrl());
  const read = async (context: Context) => (await context.session()).get<LedgerView>("/api/ledger", { asset: "USDG" });
  const before = await read(received);
  const showing = (notes: (view: LedgerView) => LedgerView["notes"]) =>
    clientOf(payee.walletKey, rpcUrl(), {
      meddle: async (request, answer) => {
        if (new URL(request.url).pathname !== "/api/ledger") return answer();
        const view = (await (await answer()).json()) as LedgerView;
        return Response.json({ ...view, notes: notes(view) });
      },
    });
  const honest = await decryptBalance(received);
  expect(honest.notes.length).toBeGreaterThan(0);
  expect(await decryptBalance(await showing(({ notes }) => [...notes, ...notes]))).toEqual(honest);
  await makeAvailable(received, { available: "1" });
  const after = await decryptBalance(received);
  expect(after.available).toBe("1");
  expect(await decryptBalance(await showing(() => before.notes))).toEqual(after);
});

test("a service that responds about another payment or schedule than was asked for has nothing done with it", async () => {
  const honest = await client();
  const session = await honest.session();
  const exchanging = (id: string, path: string) =>
    client(async (request, answer) => {
      const isAsked = request.method === "GET" && new URL(request.url).pathname.endsWith(`/${id}`);
      return isAsked ? Response.json(await session.get(path)) : answer();
    });
  const refused = { code: "unavailable", message: expect.stringContaining("about something else") };

  const [one = "", other = ""] = unapproved;
  const approving = await exchanging(one, `/v1/agents/transactions/${other}`);
  expect(await movedBy(agent, () => expect(approve(approving, one)).rejects.toMatchObject(refused))).toEqual([]);

  const { transfers } = await session.get<{ transfers: { transfer_id: string }[] }>("/v1/transfers", { limit: 2 });
  const [first = "", second = ""] = transfers.map(({ transfer_id }) => transfer_id);
  const reading = await exchanging(first, `/v1/transfers/${second}`);
  await expect(readTransferCopies(reading, first)).rejects.toMatchObject(refused);

  const start = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  const payments = [{ to: payee.address, amount: "1" }];
  const create = () => createSchedule(honest, { rule: { frequency: "once", start }, payments });
  const [asked, shown] = [await create(), await create()];
  expect(Object.keys(asked)).not.toContain("encrypted");
  const pausing = await exchanging(asked.schedule_id, `/v1/schedules/${shown.schedule_id}`);
  await expect(changeSchedule(pausing, asked.schedule_id, { status: "paused" })).rejects.toMatchObject(refused);
  for (const { schedule_id } of [asked, shown]) {
    expect(await getSchedule(honest, schedule_id)).toMatchObject({ status: "active", version: 1 });
  }
});
