import { getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GET as listAudit } from "@/app/v1/audit-log/route";
import { GET as listEvents } from "@/app/v1/events/route";
import { GET as getTransfer } from "@/app/v1/transfers/[transfer_id]/route";
import { GET as listTransfers, POST as pay } from "@/app/v1/transfers/route";
import type { RouteHandler } from "@/lib/http/declared-route";
import { createApiKey } from "@/test/accounts/api-key";
import { Owner, settled } from "@/test/accounts/owner";
import { startWorkingServices } from "@/test/services/working-services";
import * as schema from "./schema/index";

const CHAIN = 46630;

/** By what a distributed PostgreSQL would spread each table (docs/scaling.md): the account, as an id or an address. */
const KEYS: Record<string, string[]> = {
  account_networks: ["account_id"],
  audit_checkpoints: ["root_id"],
  audit_log: ["root_id"],
  budget_states: ["account"],
  budgets: ["account"],
  events: ["root_id"],
  idempotency_keys: ["key_id"], // of one account, like its keys
  last_writes: ["root_id"],
  ledger_accounts: ["address"],
  operations: ["account"],
  rate_limits: ["bucket"], // names the key or account
  relay_usage: ["account"],
  spend_policies: ["holder_id"],
  transfers: ["payer_root_id", "recipient_root_id"],
  webhooks: ["root_id"],
};

/** What is found before the account is known, or belongs to none. */
const SHARED: Record<string, string> = {
  accounts: "the directory: small, read everywhere, so each node has all of it",
  api_keys: "a key's hash leads to its account; as the directory",
  outgoing_transactions: "a relayer's, found by its hash and nonce",
  relayers: "the service's own, a row for each relayer",
};

/** Statements that would ask every node, and why they do. */
const ELSEWHERE: [RegExp, string][] = [
  [/^select \(.*\) from "events" where "events"\."id" = \$\d+$/, "whether a page's starting_after is the caller's"],
];

const TABLES = new Set<string>(Object.values(schema).flatMap((one) => (is(one, PgTable) ? [getTableName(one)] : [])));
const collected = { statements: new Set<string>(), on: false };
const shared = globalThis as typeof globalThis & { halcyonStatements?: (text: string) => void };
const { halcyonStatements: recorded } = shared;

/** The tables of a statement that it does not name an account for. */
function tablesWithoutAccount(statement: string): string[] {
  const named = [...statement.matchAll(/\b(?:from|join|into|update) "?([a-z_]+)"?/g)].map(([, name = ""]) => name);
  return [...new Set(named)].filter((table) => {
    if (!TABLES.has(table) || table in SHARED) return false;
    return !KEYS[table]?.some((key) => {
      // What is selected narrows nothing.
      const [, ...conditions] = statement.split(/\bwhere\b/);
      const given = new RegExp(`\\b${key}"? = (any\\()?\\$\\d`).test(conditions.join(" "));
      return given || new RegExp(`insert into "?${table}"?( as \\w+)? \\([^)]*\\b${key}\\b`).test(statement);
    });
  });
}

let services: Awaited<ReturnType<typeof startWorkingServices>>;
beforeAll(async () => {
  // Every statement passes here, as PostgreSQL gets it (db/connect.ts).
  shared.halcyonStatements = (text) => {
    recorded?.(text);
    if (collected.on) collected.statements.add(text.replace(/\s+/g, " ").trim());
  };
  services = await startWorkingServices();
});
afterAll(async () => {
  shared.halcyonStatements = recorded;
  await services?.stop();
});

test("every statement of a payment, a look-up and lists names the account it is for", async () => {
  const [alice, bob] = await Promise.all([Owner.funded(CHAIN, 100_000_000n), Owner.create(CHAIN)]);
  await settled(await bob.enroll());
  const { text } = await createApiKey(alice);
  const call = async (
    handler: RouteHandler,
    path: string,
    params: Record<string, string> = {},
    init: RequestInit = {},
  ) => {
    const headers = { authorization: `Bearer ${text}`, "content-type": "application/json", "idempotency-key": path };
    const request = new Request(`http://localhost${path}`, { ...init, headers });
    const response = await handler(request, { params: Promise.resolve(params) });
    expect(response.ok, path).toBe(true);
    return (await response.json()) as { transfer_id: string; events: { event_id: string }[] };
  };
  const body = JSON.stringify({ to: `@${bob.account.handle}`, amount: "1", asset: "USDG", confidential: true });
  // A worker indexes and sends for many accounts at once.
  await services.withoutWorker(async () => {
    collected.on = true;
    const { transfer_id } = await call(pay, "/v1/transfers", {}, { method: "POST", body });
    await call(getTransfer, `/v1/transfers/${transfer_id}`, { transfer_id });
    for (const query of ["", "?status=pending", `?starting_after=${transfer_id}`]) {
      await call(listTransfers, `/v1/transfers${query}`);
    }
    const { events } = await call(listEvents, "/v1/events?type=transfer.initiated");
    await call(listEvents, `/v1/events?starting_after=${events[0]?.event_id}`);
    await call(listAudit, "/v1/audit-log");
    collected.on = false;
  });
  expect(collected.statements.size).toBeGreaterThan(25);
  const touched = [...collected.statements].flatMap((one) => [...TABLES].filter((table) => one.includes(table)));
  for (const table of ["budget_states", "events", "idempotency_keys", "operations", "transfers"]) {
    expect(touched).toContain(table);
  }
  const elsewhere = (statement: string) => ELSEWHERE.some(([form]) => form.test(statement));
  expect(ELSEWHERE.filter(([form]) => ![...collected.statements].some((one) => form.test(one)))).toEqual([]);
  const judged = [...collected.statements].filter((one) => !elsewhere(one));
  const without = judged.flatMap((one) => tablesWithoutAccount(one).map((table) => `${table}: ${one}`));
  expect(without).toEqual([]);
});

test("a statement that names none is seen", () => {
  expect(tablesWithoutAccount('select id from "transfers" where "transfers"."id" = $1')).toEqual(["transfers"]);
  expect(tablesWithoutAccount("insert into notes (chain_id) values ($1)")).toEqual(["notes"]);
  expect(tablesWithoutAccount("select 1 from transfers t join accounts p on p.id = t.payer_id")).toEqual(["transfers"]);
  expect(tablesWithoutAccount("select payer_root_id = $1 from transfers where id = $2")).toEqual(["transfers"]);
  expect(tablesWithoutAccount("select 1 from transfers where payer_root_id = $1")).toEqual([]);
});
