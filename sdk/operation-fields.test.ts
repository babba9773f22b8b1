import { expect, test } from "vitest";
import document from "@/docs/openapi.json";
import { DENY_ALL, toSpendPolicyResource } from "@/lib/policy/spend-policy";
import gaps from "./client-gaps.json";
import { Halcyon } from "./package/api";

const KEY = `hc_test_${"0".repeat(49)}`;
const AGENT = "acct_01KADJ2C9B3T6Y0V8ZQ4N5M7WX";
const TIME = "2026-01-31T12:00:00Z";
const PAGE = { limit: 5, offset: 0 };
const RANGE = { from: TIME, to: TIME };
const ROWS = [{ to: "@bob", amount: "1" }];
const POLICY = toSpendPolicyResource(DENY_ALL);
const NO_WAIT = { wait: false } as const;

/** What a client with an API key alone sends for an operation, with every field that it takes. */
const CALLS: Record<string, (client: Halcyon) => PromiseLike<unknown>[]> = {
  getAccount: (c) => [c.account.get()],
  listAgents: (c) => [c.agents.list({ limit: 5 }), c.agents.list({ startingAfter: AGENT })],
  proveBalances: (c) => [c.balances.get({ decryptionProof: "proof" })],
  listPendingPayments: (c) => [
    c.approvals.list({ ...PAGE, agent: "bot", reference: "a" }),
    c.approvals.list({ startingAfter: "txn_1" }),
  ],
  getHeldPayment: (c) => [c.approvals.get("txn_1")],
  approveHeldPayment: (c) => [c.approvals.approve("txn_1", NO_WAIT)],
  rejectHeldPayment: (c) => [c.approvals.reject("txn_1")],
  pauseAgent: (c) => [c.agents.pause("bot")],
  resumeAgent: (c) => [c.agents.resume("bot")],
  getSpendPolicy: (c) => [c.policies.get("bot")],
  updateSpendPolicy: (c) => [c.policies.update("bot", POLICY)],
  simulateSpendPolicy: (c) => [c.policies.simulate("bot", { payments: ROWS, spend_policy: POLICY })],
  advanceClock: (c) => [c.testHelpers.advanceClock({ seconds: 60 })],
  expireHeldPayment: (c) => [c.testHelpers.expire("txn_1")],
  getFailingRecipient: (c) => [c.testHelpers.failingRecipient()],
  listAuditEntries: (c) => [
    c.auditLog.list({ ...PAGE, ...RANGE, action: "a.b", actor: "key", target: "x", signIns: "hidden" }),
    c.auditLog.list({ startingAfter: "aud_1" }),
  ],
  listEvents: (c) => [
    c.events.list({ ...PAGE, ...RANGE, types: ["transfer.confirmed"] }),
    c.events.list({ startingAfter: "evt_1" }),
    c.events.list({ after: "evt_1" }),
  ],
  getEvent: (c) => [c.events.get("evt_1")],
  createPayout: (c) => [
    c.payouts.create({ rows: ROWS, allowDuplicates: true }, NO_WAIT),
    c.payouts.check({ rows: ROWS, allowDuplicates: true }),
  ],
  listPayouts: (c) => [c.payouts.list({ limit: 5, status: "paused" }), c.payouts.list({ startingAfter: "po_1" })],
  getPayout: (c) => [c.payouts.retrieve("po_1")],
  listPayoutRows: (c) => [
    c.payouts.rows("po_1", { limit: 5, status: "failed" }),
    c.payouts.rows("po_1", { startingAfter: "1" }),
  ],
  resumePayout: (c) => [c.payouts.resume("po_1", NO_WAIT)],
  cancelPayout: (c) => [c.payouts.cancel("po_1")],
  listTransfers: (c) => [
    c.transfers.list({
      ...{ ...PAGE, ...RANGE, status: "failed", direction: "sent", asset: "ETH", counterparty: "@bob" },
      ...{ kind: "public", reference: "a", refundOf: "tr_1", key: "key_1", agent: "bot" },
    }),
    c.transfers.list({ startingAfter: "tr_1" }),
  ],
  getTransfer: (c) => [c.transfers.get("tr_1")],
  createTransfer: (c) => [
    c.transfers.create(
      {
        ...{ to: "@bob", amount: "1", asset: "USDG", memo: "a", from: "@alice", public: true, reference: "a" },
        ...{ uniqueReference: true, paymentRequest: "payreq_1", binding: `0x${"00".repeat(32)}` },
      },
      NO_WAIT,
    ),
    c.transfers.refund("tr_1", { amount: "1" }, NO_WAIT),
    c.transfers.dryRun({ to: "@bob", amount: "1" }),
  ],
  listWebhooks: (c) => [c.webhooks.list({ limit: 5 }), c.webhooks.list({ startingAfter: "wh_1" })],
  createWebhook: (c) => [
    c.webhooks.create({ url: "https://x.example", events: ["transfer.confirmed"], store_responses: true }),
  ],
  updateWebhook: (c) => [
    c.webhooks.update("wh_1", { url: "https://x.example", events: [], enabled: true, store_responses: true }),
  ],
  deleteWebhook: (c) => [c.webhooks.delete("wh_1")],
  listDeliveries: (c) => [
    c.webhooks.deliveries("wh_1", { ...PAGE, ...RANGE, status: "failed", event: "transfer.failed", event_id: "evt_1" }),
    c.webhooks.deliveries("wh_1", { startingAfter: "dlv_1" }),
  ],
  redeliverFailed: (c) => [c.webhooks.redeliver("wh_1", { since: TIME })],
  replayEvent: (c) => [c.webhooks.replay("wh_1", "evt_1")],
  rotateSecret: (c) => [c.webhooks.rotateSecret("wh_1")],
  testWebhook: (c) => [c.webhooks.test("wh_1", { event: "transfer.failed" })],
};

/** Any response: enough of every list and resource for a client to read it. */
const RESPONSE = {
  ...{ limit: 5, offset: 0, has_more: false, type: "personal", account_id: AGENT, handle: "@alice", asset: "USDG" },
  ...{ transfer_id: "tr_1", status: "confirmed", payout_id: "po_1", rows: 1, rows_pending: 0, faults: [], rules: [] },
  ...{ transaction_id: "txn_1", event_id: "evt_1", webhook_id: "wh_1", schedule_id: "sch_1", run_id: "run_1" },
  ...{ transfers: [], pending: [], entries: [], events: [], payouts: [], webhooks: [], deliveries: [] },
  ...{ agents: [{ account_id: AGENT, handle: "@alice/bot", public_key: `0x${"00".repeat(20)}` }] },
};

interface Operation {
  operationId?: string;
  parameters?: { name?: string; in?: string }[];
  requestBody?: { content: Record<string, { schema: { $ref?: string; properties?: object } }> };
}

const schemas = document.components.schemas as unknown as Record<string, { properties?: object }>;

/** Returns the names of an operation's query parameters and body fields. */
function fieldsOf({ parameters = [], requestBody }: Operation): Set<string> {
  const schema = requestBody?.content["application/json"]?.schema;
  const body = schema?.$ref ? schemas[schema.$ref.split("/").at(-1) ?? ""] : schema;
  const query = parameters.flatMap(({ name, in: place }) => (place === "query" && name ? [name] : []));
  return new Set([...query, ...Object.keys(body?.properties ?? {})]);
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
    name: operation.operationId ?? "",
    fields: fieldsOf(operation),
  })),
);

test("a client with an API key can send every field of every operation, but for the gaps that have a reason", async () => {
  const reasons: Record<string, string | Record<string, string>> = gaps.typescript;
  let sent: { method: string; path: string; fields: string[] }[] = [];
  const record: typeof fetch = async (input, init) => {
    const url = new URL(String(input));
    const body = init?.body ? (JSON.parse(String(init.body)) as object) : {};
    const fields = [...url.searchParams.keys(), ...Object.keys(body)];
    sent.push({ method: init?.method ?? "GET", path: url.pathname, fields });
    return Response.json(RESPONSE);
  };
  const client = new Halcyon({ url: "http://127.0.0.1:1", apiKey: KEY, fetch: record, maxRetries: 0 });
  const missing: Record<string, unknown> = {};
  for (const { method, path, name, fields } of operations) {
    const call = CALLS[name];
    if (!call) {
      missing[name] = "no method";
      continue;
    }
    sent = [];
    await Promise.all(call(client));
    const own = sent.filter((one) => one.method === method && path.test(one.path));
    const asked = new Set(own.flatMap((one) => one.fields));
    expect(
      [...asked].filter((field) => !fields.has(field)),
      name,
    ).toEqual([]);
    expect(own.length, name).toBeGreaterThan(0);
    const left = [...fields].filter((field) => !asked.has(field));
    if (left.length > 0) missing[name] = left.sort();
  }
  const known = Object.entries(reasons).map(([name, gap]) => [
    name,
    typeof gap === "string" ? "no method" : Object.keys(gap).sort(),
  ]);
  expect(missing).toEqual(Object.fromEntries(known));
});
