import { test } from "vitest";
import { DENY_ALL, toSpendPolicyResource } from "@/lib/policy/spend-policy";
import { AGENT, expectEveryField, KEY, RESPONSE, type SentRequest, sentRequest } from "@/test/sdk/client-operations";
import { Halcyon } from "./client";
import gaps from "./client-gaps.json";
import type { CreateScheduleInput } from "./payments/schedules/write-schedule";

const TIME = "2026-01-31T12:00:00Z";
const PAGE = { limit: 5, offset: 0 };
const RANGE = { from: TIME, to: TIME };
const ROWS = [{ to: "@bob", amount: "1" }];
const POLICY = toSpendPolicyResource(DENY_ALL);
const SCHEDULE: CreateScheduleInput = {
  ...{ rule: { frequency: "daily", start: "2026-12-01" }, payments: ROWS, asset: "USDG", name: "Rent" },
  ...{ automatic: true, windowSeconds: 3_600 },
};
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
  listRequests: (c) => [
    c.requestLog.list({ ...PAGE, outcome: "refused", method: "POST", key: "key_1" }),
    c.requestLog.list({ startingAfter: "req_1" }),
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
  listSchedules: (c) => [
    c.schedules.list({ limit: 5, status: "paused", due: true, stale: true }),
    c.schedules.list({ startingAfter: "sch_1" }),
  ],
  createSchedule: (c) => [c.schedules.create(SCHEDULE)],
  getSchedule: (c) => [c.schedules.get("sch_1")],
  updateSchedule: (c) => [c.schedules.update("sch_1", { ...SCHEDULE, status: "paused", version: 1 })],
  endSchedule: (c) => [c.schedules.end("sch_1")],
  listScheduleRuns: (c) => [
    c.schedules.runs("sch_1", { limit: 5 }),
    c.schedules.runs("sch_1", { startingAfter: "run_1" }),
  ],
  planScheduleRuns: (c) => [c.schedules.plan("sch_1")],
  getScheduleRun: (c) => [c.schedules.getRun("sch_1", "run_1")],
  payScheduleRun: (c) => [c.schedules.payRun("sch_1", "run_1", { late: true, version: 1 })],
  skipScheduleDate: (c) => [c.schedules.skip("sch_1", { date: TIME.slice(0, 10), version: 1 })],
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

test("a client with an API key can send every field of every operation, but for the gaps that have a reason", async () => {
  let sent: SentRequest[] = [];
  const record: typeof fetch = async (input, init) => {
    sent.push(sentRequest(init?.method ?? "GET", new URL(String(input)), String(init?.body ?? "")));
    return Response.json(RESPONSE);
  };
  const client = new Halcyon({ url: "http://127.0.0.1:1", apiKey: KEY, fetch: record, maxRetries: 0 });
  const send = async (call: (client: Halcyon) => PromiseLike<unknown>[]) => {
    sent = [];
    await Promise.all(call(client));
    return sent;
  };
  await expectEveryField((name) => CALLS[name] && send(CALLS[name]), gaps.typescript);
});
