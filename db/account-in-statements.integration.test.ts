import { eq, getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GET as balances } from "@/app/v1/accounts/me/balances/route";
import { POST as approve } from "@/app/v1/agents/transactions/[transaction_id]/approve/route";
import { GET as listHeld } from "@/app/v1/agents/transactions/pending/route";
import { GET as listAudit } from "@/app/v1/audit-log/route";
import { GET as listEvents } from "@/app/v1/events/route";
import { POST as createPaymentRequest, GET as listPaymentRequests } from "@/app/v1/payment-requests/route";
import { GET as listRows } from "@/app/v1/payouts/[payout_id]/rows/route";
import { POST as createPayout, GET as listPayouts } from "@/app/v1/payouts/route";
import { GET as listRuns } from "@/app/v1/schedules/[schedule_id]/runs/route";
import { POST as createSchedule, GET as listSchedules } from "@/app/v1/schedules/route";
import { GET as getTransfer } from "@/app/v1/transfers/[transfer_id]/route";
import { GET as listTransfers, POST as pay } from "@/app/v1/transfers/route";
import { GET as listDeliveries } from "@/app/v1/webhooks/[webhook_id]/deliveries/route";
import { POST as testWebhook } from "@/app/v1/webhooks/[webhook_id]/test/route";
import { POST as createWebhook } from "@/app/v1/webhooks/route";
import { verifyIdentity } from "@/lib/accounts/kyc/verify-identity";
import { flushKeyUse } from "@/lib/accounts/usage/flush-key-use";
import type { RouteHandler } from "@/lib/http/declared-route";
import { Agent } from "@/test/accounts/agent";
import { createApiKey } from "@/test/accounts/api-key";
import { Owner, settled } from "@/test/accounts/owner";
import { makeRequest } from "@/test/accounts/payment-request";
import { startWorkingServices } from "@/test/services/working-services";
import { db } from "./client";
import * as schema from "./schema/index";
import { transfers } from "./schema/transfers";

const CHAIN = 46630;

/**
 * The columns by which a distributed PostgreSQL would shard each table (docs/scaling.md): the account, as an id or an
 * address.
 */
const KEYS: Record<string, string[]> = {
  account_networks: ["account_id"],
  agents: ["account_id"],
  api_key_usage: ["key_id"], // a key belongs to one account
  api_requests: ["root_id"],
  audit_checkpoints: ["root_id"],
  audit_heads: ["root_id"],
  audit_log: ["root_id"],
  available_states: ["account"],
  available_commitments: ["account"],
  available_balances: ["account"],
  deposited_balances: ["account"],
  events: ["root_id"],
  held_payments: ["root_id"],
  idempotency_keys: ["key_id"], // a key belongs to one account
  ledger_accounts: ["address"],
  notes: ["account"],
  notification_emails: ["root_id"],
  notification_settings: ["root_id"],
  operations: ["account"],
  payment_requests: ["account_id"],
  payout_rows: ["payout_id"], // a payout belongs to one account
  payouts: ["account_id"],
  push_devices: ["root_id"],
  rate_limits: ["bucket"], // contains the key or account
  relay_usage: ["account"],
  request_payments: ["request_id"], // a request belongs to one account
  schedule_runs: ["schedule_id"], // a schedule belongs to one account
  schedules: ["account_id"],
  spend_policies: ["holder_id"],
  transfers: ["payer_root_id", "recipient_root_id"],
  webhook_deliveries: ["webhook_id"], // a webhook belongs to one account
  webhook_queue: ["webhook_id"],
  webhooks: ["root_id"],
};

/** Tables that are read before the account is known, or that belong to no account. */
const SHARED: Record<string, string> = {
  accounts: "the directory: small, read everywhere, so each node has all of it",
  api_keys: "a key's hash leads to its account; as the directory",
  jobs: "timed work, found by its name and key",
  outgoing_transactions: "a relayer's, found by its hash and nonce",
  relayers: "the service's own, a row for each relayer",
};

/** Statements that would query every node, with the reason. docs/scaling.md lists them. */
const ELSEWHERE: [RegExp, string][] = [
  [/^select \(.*\) from "events" where "events"\."id" = \$\d+$/, "whether a page's starting_after is the caller's"],
  [
    /^select exists \( select 1 from notes .* or exists \( select 1 from transfers where note = /,
    "whether a note is taken",
  ],
  [/ from "held_payments" where "held_payments"\."id" = \$1 for update$/, "a decision locks what awaits it"],
  [/^update "held_payments" set .* where "held_payments"\."id" = \$\d+$/, "a decision"],
  [/ from "held_payments" where \("held_payments"\."agent_id" = \$1 and/, "how many await a decision, of one agent"],
  [/ left join "transfers" on "transfers"\."id" = "held_payments"\."transfer_id"/, "the transfer of what was approved"],
  [/^update "webhooks" set "paused_until" = \$1 where "webhooks"\."id" = \$2$/, "a test unpauses a webhook"],
  [/^update "payouts" set "status" = .* where \("payouts"\."id" = \$4/, "a payout goes on"],
  [/^update payout_rows r set /, "rows whose notes were paid"],
  [/^update "schedules" set "last_date" = \$1 where "schedules"\."id" = \$2$/, "how far a schedule is planned"],
  [
    / inner join "transfers" on "transfers"\."id" = "request_payments"\."transfer_id"/,
    "a request's payments: the payers'",
  ],
];

const TABLES = new Set<string>(Object.values(schema).flatMap((one) => (is(one, PgTable) ? [getTableName(one)] : [])));
const collected = { statements: new Set<string>(), on: false };
const shared = globalThis as typeof globalThis & { halcyonStatements?: (text: string) => void };

/** Returns the tables of a statement for which it does not specify an account. */
function tablesWithoutAccount(statement: string): string[] {
  const named = [...statement.matchAll(/\b(?:from|join|into|update) "?([a-z_]+)"?/g)].map(([, name = ""]) => name);
  return [...new Set(named)].filter((table) => {
    if (!TABLES.has(table) || table in SHARED) return false;
    return !KEYS[table]?.some((key) => {
      // A selected column does not filter. `(select $1)` is the value, hidden from the planner (docs/database.md).
      const [, ...conditions] = statement.split(/\bwhere\b/);
      const given = new RegExp(`\\b${key}"? = (any\\()?(\\(select )?\\$\\d`).test(conditions.join(" "));
      return given || new RegExp(`insert into "?${table}"?( as \\w+)? \\([^)]*\\b${key}\\b`).test(statement);
    });
  });
}

let services: Awaited<ReturnType<typeof startWorkingServices>>;
beforeAll(async () => {
  // Receives every statement as PostgreSQL gets it (db/connect.ts).
  shared.halcyonStatements = (text) => {
    if (collected.on) collected.statements.add(text.replace(/\s+/g, " ").trim());
  };
  services = await startWorkingServices();
});
afterAll(async () => {
  delete shared.halcyonStatements;
  await services?.stop();
});

type Called = { transfer_id: string; transaction_id: string; payout_id: string; schedule_id: string };
type Answered = Called & { webhook_id: string; events: { event_id: string }[] };
let requests = 0;

/** Returns a function that calls /v1 with a key, each request with an idempotency key of its own. */
const callerWith =
  (key: string) =>
  async (handler: RouteHandler, url: string, params: Record<string, string> = {}, body?: object): Promise<Answered> => {
    const headers = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": `request-${requests++}`,
    };
    const init = body ? { method: "POST", body: JSON.stringify(body), headers } : { headers };
    const response = await handler(new Request(`http://localhost${url}`, init), { params: Promise.resolve(params) });
    const answered = await response.json();
    expect(response.ok, `${url} ${JSON.stringify(answered)}`).toBe(true);
    return answered as Answered;
  };

/** Returns the statements of `work`. A worker indexes and sends for many accounts at once, so it is left out. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  collected.statements.clear();
  await services.withoutWorker(async () => {
    collected.on = true;
    try {
      await work();
      // A timer does it otherwise, in some runs.
      await flushKeyUse();
    } finally {
      collected.on = false;
    }
  });
  return [...collected.statements];
}

/** Returns the statements that name no account and are not among the exceptions, each with its table. */
function strays(statements: string[]): string[] {
  const judged = statements.filter((statement) => !ELSEWHERE.some(([form]) => form.test(statement)));
  return judged.flatMap((one) => tablesWithoutAccount(one).map((table) => `${table}: ${one}`));
}

const touched = (statements: string[]) =>
  [...TABLES].filter((table) => statements.some((one) => new RegExp(`\\b${table}\\b`).test(one)));

let alice: Owner;
let bob: Owner;
const seen = new Set<string>();

test("every statement of a payment, a look-up and lists names the account it is for", async () => {
  [alice, bob] = await Promise.all([Owner.funded(CHAIN, 100_000_000n), Owner.create(CHAIN)]);
  await settled(await bob.enroll());
  const call = callerWith((await createApiKey(alice)).text);
  const body = { to: `@${bob.account.handle}`, amount: "1", asset: "USDG", confidential: true };
  const statements = await statementsOf(async () => {
    const { transfer_id } = await call(pay, "/v1/transfers", {}, body);
    await call(getTransfer, `/v1/transfers/${transfer_id}`, { transfer_id });
    for (const query of ["", "?status=pending", `?starting_after=${transfer_id}`]) {
      await call(listTransfers, `/v1/transfers${query}`);
    }
    const { events } = await call(listEvents, "/v1/events?type=transfer.initiated");
    await call(listEvents, `/v1/events?starting_after=${events[0]?.event_id}`);
    await call(listAudit, "/v1/audit-log");
  });
  expect(statements.length).toBeGreaterThan(25);
  const tables = ["api_key_usage", "available_states", "events", "idempotency_keys", "operations", "transfers"];
  expect(touched(statements)).toEqual(expect.arrayContaining(tables));
  expect(strays(statements)).toEqual([]);
  for (const statement of statements) seen.add(statement);
});

test("so does every statement of an agent's payments, approvals, balances, payouts, requests, schedules and webhooks", async () => {
  const created = await Agent.create(alice, { hitlThreshold: 2_000_000n });
  await settled(created.operationId);
  await verifyIdentity(alice.session, {});
  const byAlice = callerWith((await createApiKey(alice)).text);
  const byAgent = callerWith((await createApiKey(created.agent)).text);
  const to = (account: { handle: string }, amount: string) => ({
    to: `@${account.handle}`,
    amount,
    confidential: true,
  });
  const { transfer_id } = await byAlice(
    pay,
    "/v1/transfers",
    {},
    to(created.agent.account as { handle: string }, "20"),
  );
  const [funded] = await db().select().from(transfers).where(eq(transfers.id, transfer_id));
  await settled(funded?.operationId ?? "");
  const { body: asked } = await makeRequest(alice);
  const start = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const rows = [
    { to: `@${bob.account.handle}`, amount: "1" },
    { to: `@${bob.account.handle}`, amount: "2" },
  ];
  const schedule = { name: "Rent", rule: { frequency: "monthly", start }, payments: [rows[0]] };
  const statements = await statementsOf(async () => {
    await byAgent(pay, "/v1/transfers", {}, to(bob.account as { handle: string }, "1"));
    const { transaction_id } = await byAgent(pay, "/v1/transfers", {}, to(bob.account as { handle: string }, "3"));
    await byAlice(listHeld, "/v1/agents/transactions/pending");
    await byAlice(approve, `/v1/agents/transactions/${transaction_id}/approve`, { transaction_id }, {});
    await byAgent(balances, "/v1/accounts/me/balances");
    const { webhook_id } = await byAlice(
      createWebhook,
      "/v1/webhooks",
      {},
      {
        url: "https://hooks.example.com/halcyon",
        events: ["transfer.confirmed"],
      },
    );
    await byAlice(testWebhook, `/v1/webhooks/${webhook_id}/test`, { webhook_id }, {});
    await byAlice(listDeliveries, `/v1/webhooks/${webhook_id}/deliveries`, { webhook_id });
    const { payout_id } = await byAlice(createPayout, "/v1/payouts", {}, { rows });
    await byAlice(listPayouts, "/v1/payouts");
    await byAlice(listRows, `/v1/payouts/${payout_id}/rows`, { payout_id });
    const { schedule_id } = await byAlice(createSchedule, "/v1/schedules", {}, schedule);
    await byAlice(listSchedules, "/v1/schedules");
    await byAlice(listRuns, `/v1/schedules/${schedule_id}/runs`, { schedule_id });
    await byAlice(createPaymentRequest, "/v1/payment-requests", {}, asked);
    await byAlice(listPaymentRequests, "/v1/payment-requests");
  });
  const tables = ["held_payments", "payment_requests", "payouts", "payout_rows", "schedules", "spend_policies"];
  expect(touched(statements)).toEqual(expect.arrayContaining([...tables, "webhooks", "webhook_deliveries"]));
  expect(strays(statements)).toEqual([]);
  for (const statement of statements) seen.add(statement);
});

test("no exception is left over", () => {
  expect(ELSEWHERE.filter(([form]) => ![...seen].some((one) => form.test(one)))).toEqual([]);
});

test("a statement that names none is seen", () => {
  expect(tablesWithoutAccount('select id from "transfers" where "transfers"."id" = $1')).toEqual(["transfers"]);
  expect(tablesWithoutAccount("insert into notes (chain_id) values ($1)")).toEqual(["notes"]);
  expect(tablesWithoutAccount("select 1 from transfers t join accounts p on p.id = t.payer_id")).toEqual(["transfers"]);
  expect(tablesWithoutAccount("select payer_root_id = $1 from transfers where id = $2")).toEqual(["transfers"]);
  expect(tablesWithoutAccount("select 1 from transfers where payer_root_id = $1")).toEqual([]);
  expect(tablesWithoutAccount("select 1 from transfers where payer_root_id = (select $1::text)")).toEqual([]);
  expect(tablesWithoutAccount("select 1 from transfers where payer_root_id = (select id from x)")).toEqual([
    "transfers",
  ]);
});
