import { idempotencyKeyOf } from "./idempotency-key-of";
import { typescriptLiteral } from "./literals";
import type { Node, NodeObject } from "./node";
import type { OperationReference } from "./read-reference";

/** The parts of the example request from which a call is written. */
interface Request {
  /** Ids in the path. */
  ids: string[];
  body: NodeObject;
  /** The query of a list; undefined if there is none. */
  filter: Node | undefined;
}

/** The result to show, the method, and its arguments except the options. Undefined arguments are left out. */
type Call = [result: string, method: string, ...values: (Node | undefined)[]];

/** The agent in the recorded examples. Paths contain its id; calls use its name. */
const AGENT = "procurement";
/** Maximum length of a line of a sample. */
const ONE_LINE = 80;

/** The SDK's call of each operation. */
const CALLS: Readonly<Record<string, (request: Request) => Call>> = {
  createTransfer: ({ body }) => ["transfer", "transfers.create", body],
  listTransfers: ({ filter }) => ["{ transfers, has_more }", "transfers.list", filter],
  getTransfer: ({ ids }) => ["transfer", "transfers.get", ...ids],
  listPaymentRequests: ({ filter }) => ["{ payment_requests, has_more }", "paymentRequests.list", filter],
  getPaymentRequest: ({ ids }) => ["request", "paymentRequests.retrieve", ...ids],
  cancelPaymentRequest: ({ ids }) => ["request", "paymentRequests.cancel", ...ids],
  createPayout: ({ body: { rows = [] } }) => ["payout", "payouts.create", { rows }],
  listPayouts: ({ filter }) => ["{ payouts, has_more }", "payouts.list", filter],
  getPayout: ({ ids }) => ["payout", "payouts.retrieve", ...ids],
  listPayoutRows: ({ ids, filter }) => ["{ rows, has_more }", "payouts.rows", ...ids, filter],
  resumePayout: ({ ids }) => ["payout", "payouts.resume", ...ids],
  cancelPayout: ({ ids }) => ["payout", "payouts.cancel", ...ids],
  listSchedules: ({ filter }) => ["{ schedules, has_more }", "schedules.list", filter],
  createSchedule: ({ body }) => ["schedule", "schedules.create", body],
  getSchedule: ({ ids }) => ["schedule", "schedules.get", ...ids],
  updateSchedule: ({ ids, body }) => ["schedule", "schedules.update", ...ids, body],
  endSchedule: ({ ids }) => ["", "schedules.end", ...ids],
  listScheduleRuns: ({ ids, filter }) => ["{ runs, has_more }", "schedules.runs", ...ids, filter],
  planScheduleRuns: ({ ids }) => ["schedule", "schedules.plan", ...ids],
  getScheduleRun: ({ ids }) => ["run", "schedules.getRun", ...ids],
  payScheduleRun: ({ ids, body }) => ["run", "schedules.payRun", ...ids, body],
  skipScheduleDate: ({ ids, body }) => ["schedule", "schedules.skip", ...ids, body],
  getAccount: () => ["account", "account.get"],
  getBalances: () => ["{ balances }", "balances.get"],
  proveBalances: ({ body: { decryption_proof = "" } }) => [
    "{ balances }",
    "balances.get",
    { decryptionProof: decryption_proof },
  ],
  createAgent: ({ body: { name = "", spend_policy = {} } }) => [
    "agent",
    "agents.create",
    { name, spendPolicy: spend_policy },
  ],
  listAgents: () => ["{ agents }", "agents.list"],
  pauseAgent: () => ["agent", "agents.pause", AGENT],
  resumeAgent: () => ["agent", "agents.resume", AGENT],
  getSpendPolicy: () => ["policy", "policies.get", AGENT],
  updateSpendPolicy: ({ body }) => ["policy", "policies.update", AGENT, body],
  simulateSpendPolicy: ({ body }) => ["{ decisions }", "policies.simulate", AGENT, body],
  listPendingPayments: ({ filter }) => ["{ pending }", "approvals.list", filter],
  getHeldPayment: ({ ids }) => ["payment", "approvals.get", ...ids],
  approveHeldPayment: ({ ids }) => ["payment", "approvals.approve", ...ids],
  rejectHeldPayment: ({ ids }) => ["payment", "approvals.reject", ...ids],
  createWebhook: ({ body }) => ["webhook", "webhooks.create", body],
  listWebhooks: () => ["{ webhooks }", "webhooks.list"],
  updateWebhook: ({ ids, body }) => ["webhook", "webhooks.update", ...ids, body],
  deleteWebhook: ({ ids }) => ["", "webhooks.delete", ...ids],
  rotateSecret: ({ ids }) => ["{ secret }", "webhooks.rotateSecret", ...ids],
  testWebhook: ({ ids, body }) => ["delivery", "webhooks.test", ...ids, body],
  listDeliveries: ({ ids, filter }) => ["{ deliveries, has_more }", "webhooks.deliveries", ...ids, filter],
  replayEvent: ({ ids }) => ["delivery", "webhooks.replay", ...ids],
  redeliverFailed: ({ ids, body }) => ["{ queued, has_more }", "webhooks.redeliver", ...ids, body],
  listEvents: ({ filter }) => ["{ events, has_more }", "events.list", filter],
  getEvent: ({ ids }) => ["event", "events.get", ...ids],
  advanceClock: ({ body }) => ["{ approvals, deliveries, keys }", "testHelpers.advanceClock", body],
  expireHeldPayment: ({ ids }) => ["payment", "testHelpers.expire", ...ids],
  getFailingRecipient: () => ["{ to }", "testHelpers.failingRecipient"],
  listRequests: ({ filter }) => ["{ requests, has_more }", "requestLog.list", filter],
  listAuditEntries: ({ filter }) => ["{ entries, has_more }", "auditLog.list", filter],
};

/** Returns the operation's example request as a call of the SDK; undefined if the SDK lacks the operation. */
export function sdkSample(operation: OperationReference, baseURL: string): string | undefined {
  const { path, body = {} } = operation.example;
  const [pathname = "", query = ""] = path.split("?");
  const filters = [...new URLSearchParams(query)].map(([name, value]) => [name, /^\d+$/.test(value) ? +value : value]);
  const call = CALLS[operation.id]?.({
    ids: pathname.split("/").filter((segment) => /_[0-9A-HJKMNP-TV-Z]{26}$/.test(segment)),
    body: body as NodeObject,
    filter: filters.length > 0 ? (Object.fromEntries(filters) as Node) : undefined,
  });
  if (!call) return undefined;
  const [result, method, ...values] = call;
  const key = idempotencyKeyOf(operation);
  const given = values.filter((value) => value !== undefined);
  const code = written(`halcyon.${method}`, key === undefined ? given : [...given, { idempotencyKey: key }]);
  return [
    'import { Halcyon } from "@halcyon/sdk";',
    "",
    `const halcyon = new Halcyon({ url: "${baseURL}", apiKey: process.env.HALCYON_API_KEY });`,
    ...(result === ""
      ? [`await ${code};`]
      : [`const ${result} = await ${code};`, `console.log(${result.replace(/^\{ | \}$/g, "")});`]),
  ].join("\n");
}

/**
 * Writes a call on one line, or with one argument per line if it is too long. A single long argument stays inside the
 * parentheses.
 */
function written(method: string, values: readonly Node[]): string {
  // Times are texts in bodies, but dates in calls.
  const parts = values.map((value) => typescriptLiteral(value).replace(/\bsince: ("[^"]+")/, "since: new Date($1)"));
  const line = `${method}(${parts.join(", ")})`;
  if (parts.length === 1 || (!line.includes("\n") && line.length <= ONE_LINE - "const { has_more } = await ;".length)) {
    return line;
  }
  return `${method}(\n${parts.map((part) => `  ${part.replaceAll("\n", "\n  ")},\n`).join("")})`;
}
