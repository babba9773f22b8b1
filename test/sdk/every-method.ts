import { inspect } from "node:util";
import { expect } from "vitest";
import { ERROR_STATUS } from "@/lib/base/errors";
import { CHAIN_ID } from "@/lib/base/network";
import { HalcyonError } from "@/sdk/api/errors";
import { type ClientOptions, contextOf } from "@/sdk/context/context-of";
import type { PinStore } from "@/sdk/context/pins";
import { NodeClient } from "@/sdk/node-client";
import type { PendingPayment } from "@/sdk/payments/attempts/pending-payment";
import { memoryClaims } from "@/sdk/x402/claims";
import { refundRequest } from "@/sdk/x402/refund-request";

/** Used for accounts, assets and the ledger. */
export const ADDRESS = "0x52908400098527886E0F7030069857D2E4169EE7";
const WALLET_KEY = `0x${"51".repeat(32)}`;
const API_KEY = "hc_test_canary0000000000000000000";
/** A provider's key, as part of an RPC address. */
export const RPC_SECRET = "rpc-secret-canary";
const TX = `0x${"ab".repeat(32)}` as const;
const WORD = `0x${"00".repeat(32)}` as const;

const PENDING: PendingPayment = {
  version: 1,
  id: "order-1",
  kind: "transfer",
  chain_id: CHAIN_ID.test,
  ledger: ADDRESS,
  account: ADDRESS,
  to: ADDRESS,
  asset: ADDRESS,
  note: WORD,
  since_block: "1",
  documents: [{ old_commitment: WORD, new_commitment: TX, deadline: 1 }],
};

/** A refund request whose challenge only its seller recognizes. */
const REFUND_REQUEST = refundRequest({
  requirements: {
    scheme: "confidential",
    network: `eip155:${CHAIN_ID.test}`,
    asset: ADDRESS,
    amount: "1",
    payTo: ADDRESS,
    maxTimeoutSeconds: 60,
    extra: { ledger: ADDRESS, method: "GET", resource: "http://localhost:1/report", nonce: TX, expires: 1, proof: TX },
  },
  transaction: TX,
});

const PERIOD = { from: "2026-11-01", to: "2026-11-30" };

type Method = (...input: never[]) => PromiseLike<unknown>;
/** Arguments of every method. A new method without them does not compile. */
type Arguments = {
  [Resource in Exclude<keyof NodeClient, "fetch">]: {
    [Name in keyof NodeClient[Resource]]: NodeClient[Resource][Name] extends Method
      ? Partial<Parameters<NodeClient[Resource][Name]>>
      : never;
  };
};

/** The input of calls that go directly to a chain. */
export const CHAIN = { rpc: `http://127.0.0.1:1/${RPC_SECRET}`, ledger: ADDRESS };
const encrypted = {
  kind: "release",
  direction: "received",
  asset: "USDG",
  account: ADDRESS,
  recipient: ADDRESS,
  note: null,
  old_commitment: WORD,
  new_commitment: WORD,
  recipient_ciphertext: null,
  payer_ciphertext: null,
  memo: null,
  recipient_memo: null,
  tx_hash: TX,
} as const;
const held = {
  reference: null,
  refund_of: null,
  payment_request: null,
  transaction_id: "txn_1",
  status: "pending_approval",
  agent: "@alice/bot",
  to: "@bob",
  requested_at: "2026-01-01T00:00:00Z",
  expires_at: "2026-01-02T00:00:00Z",
  asset: "USDG",
  confidential: true,
  recipient: ADDRESS,
  ciphertext: WORD,
  secret_version: 1,
} as const;
export const RECEIPT = "hcr1_x";
/** What the service pays by itself once it has the request: a lost response leaves open whether it has. */
export const PAID_BY_SERVICE: readonly string[] = ["transfers.create", "payouts.create"];
const LINK = `http://localhost:3000/pay/payreq_01KADJ2C9B3T6Y0V8ZQ4N5M7WX#${"A".repeat(43)}`;

const ARGUMENTS: Arguments = {
  account: { get: [], getByWallet: [], create: [{ handle: "alice" }], verifyIdentity: [] },
  transfers: {
    create: [{ to: "@bob", amount: "25" }],
    createMany: [{ payments: ["@bob", "@carol"].map((to) => ({ to, amount: "25" })) }],
    dryRun: [{ to: "@bob", amount: "25" }],
    prepare: [{ to: "@bob", amount: "25" }],
    check: [PENDING],
    get: ["tr_1"],
    refund: ["tr_1", { amount: "1" }],
    refundable: ["tr_1"],
    checkRefund: ["tr_1"],
    list: [{ from: "2026-01-01", status: "confirmed" }],
    getDecrypted: ["tr_1"],
    listDecrypted: [{ to: new Date() }],
    decrypt: [encrypted],
  },
  paymentRequests: {
    create: [{ amount: "25" }],
    retrieve: ["payreq_1"],
    list: [],
    cancel: ["payreq_1"],
    open: [LINK],
    pay: [LINK],
    check: [],
    watch: [],
  },
  payouts: {
    create: [{ rows: [{ to: "@bob", amount: "1" }] }],
    check: [{ rows: [{ to: "@bob", amount: "1" }] }],
    retrieve: ["po_1"],
    list: [],
    rows: ["po_1"],
    resume: ["po_1"],
    cancel: ["po_1"],
  },
  schedules: {
    create: [{ rule: { frequency: "daily", start: "2099-01-01" }, payments: [{ to: "@bob", amount: "25" }] }],
    list: [],
    get: ["sch_1"],
    getDecrypted: ["sch_1"],
    update: ["sch_1", { name: "Rent" }],
    pause: ["sch_1"],
    resume: ["sch_1"],
    skip: ["sch_1"],
    end: ["sch_1"],
    runs: ["sch_1"],
    getRun: ["sch_1", "run_1"],
    plan: ["sch_1"],
    payRun: ["sch_1", "run_1"],
    runDue: [],
  },
  receipts: { create: ["tr_1"], verify: [RECEIPT] },
  sharedViews: {
    create: [{ ...PERIOD, label: "Accountant" }],
    list: [],
    delete: ["view_1"],
    verify: [`http://localhost/view/view_01KADJ2C9B3T6Y0V8ZQ4N5M7WX#${"A".repeat(43)}`],
  },
  statements: { create: [PERIOD], file: [{ ...PERIOD, format: "csv" }] },
  proofsOfFunds: {
    preview: [{ atLeast: "5000", for: "North Bank" }],
    create: [{ atLeast: "5000", for: "North Bank" }],
    verify: ["hcf1_x", { for: "North Bank" }],
  },
  balances: { get: [{ prove: true }], prove: [], decrypt: [], makeAvailable: [{ amount: "1" }] },
  withdrawals: { create: [{ to: ADDRESS, amount: "1" }] },
  keys: { create: [{ label: "server" }], list: [], revoke: ["key_1"] },
  viewingKeys: { export: [] },
  agents: {
    create: [{ name: "bot" }],
    list: [],
    pause: ["bot"],
    resume: ["bot"],
    end: ["bot"],
    refunds: ["bot"],
    setRefunds: ["bot", { refunds: "owner" }],
    makeRefundsAvailable: [],
    replaceKey: ["bot"],
  },
  policies: {
    get: ["bot"],
    update: ["bot", { daily_limit_usdg: 1 }],
    simulate: ["bot", { payments: [{ to: "@bob", amount: "1" }] }],
  },
  limits: { get: [], set: [{ daily_limit_usdg: 1 }], clear: [] },
  approvals: { list: [], get: ["txn_1"], approve: ["txn_1"], reject: ["txn_1"], rejectAll: [], decrypt: [held] },
  webhooks: {
    create: [{ url: "https://example.com/hook", events: ["transfer.confirmed"] }],
    list: [],
    update: ["wh_1", { enabled: false }],
    delete: ["wh_1"],
    rotateSecret: ["wh_1"],
    replay: ["wh_1", "evt_1"],
    redeliver: ["wh_1", { since: "2026-01-01T00:00:00Z" }],
    test: ["wh_1", { event: "transfer.failed" }],
    deliveries: ["wh_1", { event: "transfer.confirmed" }],
  },
  events: { list: [{ types: ["transfer.confirmed"] }], get: ["evt_1"] },
  auditLog: { list: [] },
  requestLog: { list: [] },
  security: {
    rotateAccountSecret: [],
    renewPaymentKey: [],
    stopPaymentKey: [CHAIN],
    guard: [],
    setGuard: [true],
    balanceLoss: [],
    abandonBalance: [],
  },
  x402: {
    pay: ["http://localhost:1/report", { max: "0.10" }],
    price: ["http://localhost:1/report"],
    buyer: [],
    seller: [{ claims: memoryClaims() }],
    checkRefundRequest: [REFUND_REQUEST],
  },
  testHelpers: {
    faucet: [{ amount: "1" }],
    advanceClock: [{ seconds: 60 }],
    expire: ["txn_1"],
    failingRecipient: [],
  },
  recovery: { run: [CHAIN] },
};

/** Every method by name, with plausible arguments. */
export const METHODS = Object.entries(ARGUMENTS).flatMap(([resource, methods]) =>
  Object.entries(methods).map(([name, input]) => [`${resource}.${name}`, input as unknown[]] as const),
);

/** Calls a method of a client by name and returns its error. A list is also iterated, to cover both ways. */
export async function failureOf(client: NodeClient, name: string, input: readonly unknown[]): Promise<unknown> {
  const [resource = "", method = ""] = name.split(".");
  const part = client[resource as keyof NodeClient] as unknown as Record<string, (...all: unknown[]) => unknown>;
  const result = part[method]?.(...input) as Promise<unknown> & Partial<AsyncIterable<unknown>>;
  const failure = await result.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!result[Symbol.asyncIterator]) return failure;
  try {
    for await (const _ of result as AsyncIterable<unknown>);
    return undefined;
  } catch (error) {
    // The page may be readable and have no entries to iterate.
    if (failure) expect((error as HalcyonError).code).toBe((failure as HalcyonError).code);
    return error;
  }
}

/** A path where nothing can be written. No method gets that far here. */
const NOWHERE = "/dev/null/offers";

/** Stores nothing. */
export const NO_PINS: PinStore = {
  remedy: () => "",
  pin: async (_, value) => value,
  raise: async (_, value) => value,
  peek: async () => undefined,
};

/** Returns a client with a wallet and an API key, which does not retry. */
export function clientOf(options: ClientOptions): NodeClient {
  const platform = { url: "http://127.0.0.1:1", pins: () => NO_PINS, loadProver: () => Promise.reject(new Error()) };
  const all = { walletKey: WALLET_KEY, apiKey: API_KEY, maxRetries: 0, ...options };
  return new NodeClient(contextOf(all, platform), NOWHERE);
}

const CODES = [...Object.keys(ERROR_STATUS), "outcome_unknown", "transfer_failed", "aborted"];

/** Expects what every error of the package promises. */
export function expectHalcyonError(error: unknown, name: string): asserts error is HalcyonError {
  expect(error, name).toBeInstanceOf(HalcyonError);
  const { code, message } = error as HalcyonError;
  expect(CODES, name).toContain(code);
  expect(message, name).toMatch(/[.?]$/);
  const shown = inspect(error, { depth: 9 });
  for (const secret of [RPC_SECRET, API_KEY, WALLET_KEY.slice(2), "viem", "HALCYON_", "Request body"]) {
    expect(shown, name).not.toContain(secret);
  }
}
