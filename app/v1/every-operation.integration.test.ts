import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { z } from "zod";
import { KEY_SCOPES, type KeyScope, needsSecret } from "@/lib/base/key-scopes";
import { type AuthenticatedKey, authenticateKey } from "@/lib/http/auth/authenticate-key";
import { exchangeCode } from "@/lib/http/connections/exchange-code";
import { mcpResource } from "@/lib/http/connections/resource";
import { revokeToken } from "@/lib/http/connections/revoke-token";
import { type RouteHandler, takesCaller } from "@/lib/http/declared-route";
import type { Operation } from "@/lib/http/openapi/describe-operation";
import { operationOf } from "@/lib/http/operation";
import { type BodyLimit, readJsonBytes } from "@/lib/http/read-json-body";
import { loadOperations } from "@/scripts/openapi/load";
import { insertAgent } from "@/test/accounts/agent-row";
import { anyoneCalls, keyCaller, type RouteCall, sessionCaller } from "@/test/accounts/api-caller";
import { ask, connected } from "@/test/accounts/connection";
import { oneOfEach } from "@/test/accounts/one-of-each";
import { Owner } from "@/test/accounts/owner";
import { putNew, termsOf } from "@/test/accounts/schedule-terms";
import { everythingStored } from "@/test/services/everything-stored";
import { signedIn } from "@/test/services/in-process-service";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";

/* What holds for every operation of /v1, by the declarations of their routes. */

const read = <T>(file: string) => JSON.parse(readFileSync(file, "utf8")) as T;
/** Recorded requests, by operation. */
const RECORDED = read<Record<string, { request: { path: string; body?: unknown } }[]>>("docs/examples/operations.json");
/** The prefix of the ids that a parameter of a path takes. */
const PREFIX: Record<string, string> = {
  ...{ account_id: "acct", transfer_id: "tr", transaction_id: "txn", event_id: "evt", webhook_id: "wh" },
  ...{ payment_request_id: "payreq", payout_id: "po", schedule_id: "sch", run_id: "run" },
};
/** What it is the id of, as a search returns it. */
const TYPE = {
  ...{ account_id: "agent", transfer_id: "transfer", transaction_id: "held_payment", event_id: "event" },
  ...{ webhook_id: "webhook", payment_request_id: "payment_request", payout_id: "payout" },
  ...{ schedule_id: "schedule", run_id: "schedule_run" },
} as const;
const withIds = (path: string, ids: Record<string, string> = {}) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? `${PREFIX[name]}_01ARZ3NDEKTSV4RRFFQ69G5FAV`);

let operations: Operation[];
let services: SharedServices;
let owner: Owner;
let call: RouteCall;
beforeAll(async () => {
  services = await startSharedServices();
  operations = await loadOperations();
});
afterAll(() => services.stop());
// Each test has a quota of its own.
beforeEach(async () => {
  owner = await Owner.create(46630);
  ({ call } = await keyCaller(owner.session));
});

/** The body of a request that an operation accepts: the one that was recorded. Empty where it takes none. */
function validBody({ method, declared }: Operation): unknown {
  if (method === "GET") return undefined;
  const [recorded] = RECORDED[declared.docs?.operationId ?? ""] ?? [];
  return (declared.body && recorded?.request.body) ?? {};
}
const emptyBody = ({ method }: Operation): unknown => (method === "GET" ? undefined : {});

/** The response of each operation: its status, and the code of the error. */
type Outcomes = Record<string, [status: number, code: string | undefined]>;

/** Sends one request to each of these operations, with a body that it accepts. */
async function outcomesOf(
  by: RouteCall,
  of: readonly Operation[],
  { ids = {}, query = "", headers = {}, body = validBody } = {},
) {
  const outcomes: Outcomes = {};
  for (const one of of) {
    const { method, path } = one;
    const response = await by(method, withIds(path, ids) + query, body(one), headers);
    outcomes[`${method} ${path}`] = [response.status, response.json.error?.code];
  }
  return outcomes;
}

/** Expects this outcome of each operation, and that none changed anything. */
async function allGive(
  of: readonly Operation[],
  by: RouteCall,
  expected: Outcomes[string] | ((operation: Operation) => Outcomes[string]),
  how: Parameters<typeof outcomesOf>[2] = {},
): Promise<void> {
  const before = await everythingStored();
  const outcomes = await outcomesOf(by, of, how);
  const wanted = (one: Operation) => (typeof expected === "function" ? expected(one) : expected);
  expect(outcomes).toEqual(Object.fromEntries(of.map((one) => [`${one.method} ${one.path}`, wanted(one)])));
  expect(await everythingStored()).toEqual(before);
}

const takesSession = ({ declared }: Operation) => takesCaller(declared.auth, "session");
const UNAUTHORIZED: Outcomes[string] = [401, "unauthorized"];
const FORBIDDEN: Outcomes[string] = [403, "key_forbidden"];
const NOT_OWNER: Outcomes[string] = [403, "not_agent_owner"];
const notFound = ({ path }: Operation): Outcomes[string] => [
  404,
  path.includes("{transaction_id}") ? "transaction_not_found" : "not_found",
];
/** The contract says of an agent that it is another account's. */
const foreign = (one: Operation) => (one.path.includes("{account_id}") ? NOT_OWNER : notFound(one));

test.each(KEY_SCOPES)(
  "a key of scope %s reaches what declares it, and of everything else hears which scope it lacks",
  async (scope) => {
    const wrap = needsSecret([scope]) ? {} : { wrap: null };
    const narrowed = await keyCaller(owner.session, { scopes: [scope], ...wrap });
    expect(operations.some(({ declared }) => declared.scope === scope)).toBe(true);
    const before = await everythingStored();
    for (const one of operations.filter(({ declared }) => declared.scope !== scope)) {
      const { method, path, declared } = one;
      const { status, json } = await narrowed.call(method, withIds(path), validBody(one));
      expect([status, json.error?.code], `${method} ${path}`).toEqual(FORBIDDEN);
      expect(json.error?.message).toContain("lacks the scope");
      expect(json.error?.message).toContain(`"${declared.scope}"`);
    }
    expect(await everythingStored()).toEqual(before);
    for (const one of operations.filter(({ declared }) => declared.scope === scope)) {
      const { json } = await narrowed.call(one.method, withIds(one.path), emptyBody(one));
      expect(json.error?.message ?? "", `${one.method} ${one.path}`).not.toContain("lacks the scope");
    }
  },
);

test("no operation gives anything without a key or session, and a wrong one is none", async () => {
  const [cookie, forged] = ["next-auth.session-token=", "next-auth.session-token=eyJhbGciOiJkaXIifQ..a.b.c"];
  await allGive(operations, anyoneCalls, UNAUTHORIZED);
  for (const headers of [{ cookie }, { cookie: forged }, { authorization: "" }, { authorization: "Bearer nothing" }]) {
    await allGive(operations, anyoneCalls, UNAUTHORIZED, { headers });
  }
});

test("a key that comes from outside its allow-list reaches no operation", async () => {
  const elsewhere = await keyCaller(owner.session, { allowed_ips: ["203.0.113.0/24"] });
  await allGive(operations, elsewhere.call, FORBIDDEN);
});

test("a session reaches the operations that declare it, with its Origin or none, and no others", async () => {
  const bySession = await sessionCaller(owner);
  const [taking, others] = [operations.filter(takesSession), operations.filter((one) => !takesSession(one))];
  expect(taking.length).toBeGreaterThan(2);
  await allGive(others, bySession, UNAUTHORIZED);
  const body = emptyBody;
  const [outcomes, byKey] = [await outcomesOf(bySession, taking, { body }), await outcomesOf(call, taking, { body })];
  // What a whole key hears. A body that only one of the two can send is said by its own tests.
  expect(outcomes).toEqual(byKey);
});

test("a request with a key is the key's alone, whatever session its cookie has", async () => {
  const cookie = { cookie: await signedIn(owner.address) };
  for (const authorization of ["", "Basic YTpi", "Bearer", "Bearer hc_test_none"]) {
    await allGive(operations, anyoneCalls, UNAUTHORIZED, { headers: { ...cookie, authorization } });
  }
  const narrow = await keyCaller(owner.session, { scopes: ["read"], wrap: null });
  const changing = operations.filter(({ declared }) => declared.scope !== "read");
  await allGive(changing, narrow.call, FORBIDDEN, { headers: cookie });
});

test("what another site makes a browser send with a session changes nothing", async () => {
  const bySession = await sessionCaller(owner);
  const outcome = (refusal: Outcomes[string]) => (one: Operation) => (takesSession(one) ? refusal : UNAUTHORIZED);
  const changing = operations.filter(({ method }) => method !== "GET");
  for (const origin of [
    "https://evil.example",
    "null",
    "http://localhost:3001",
    "http://localhost:3000.evil.example",
  ]) {
    await allGive(changing, bySession, outcome(FORBIDDEN), { headers: { origin } });
  }
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a", ""]) {
    const headers = { "content-type": type };
    await allGive(changing, bySession, outcome([415, "invalid_request"]), { headers });
  }
});

test("another account's key and session, and its own on the other network, hear what they would of ids that do not exist, and change nothing", async () => {
  const ids = await someIds(owner);
  const about = operations.filter(({ path }) => path.includes("{"));
  const named = new Set(about.flatMap(({ path }) => path.match(/(?<=\{)\w+/g)));
  expect([...named].sort()).toEqual(Object.keys(ids).sort());
  const bySession = about.filter(takesSession);
  const stranger = await Owner.create(46630);
  const live = { ...owner.session, network: "live", chainId: 4663 } as const;
  const [strangers, others] = await Promise.all([keyCaller(stranger.session), keyCaller(live)]);
  for (const [of, by, outcome, query] of [
    [about, strangers.call, foreign, ""],
    [bySession, await sessionCaller(stranger), foreign, ""],
    [about, others.call, notFound, ""],
    [bySession, await sessionCaller(owner), notFound, "?network=live"],
  ] as const) {
    await allGive(of, by, outcome, { ids, query });
    await allGive(of, by, notFound, { query });
    // The text of the error is the same, too.
    for (const one of of.filter((each) => outcome(each)[1] === notFound(each)[1])) {
      const said = [ids, {}].map(async (some) => {
        const { json } = await by(one.method, withIds(one.path, some) + query, validBody(one));
        return { ...json.error, request_id: "" };
      });
      const [ofForeign, ofNone] = await Promise.all(said);
      expect(ofForeign, `${one.method} ${one.path}`).toEqual(ofNone);
    }
  }
});

test("an agent's key reaches what declares it, and of everything else hears that it is its owner's", async () => {
  const agent = await insertAgent(owner, "bot");
  const byAgent = await keyCaller({ ...owner.session, account: agent });
  const shut = operations.filter(({ declared }) => declared.agentKeys !== "allowed");
  await allGive(shut, byAgent.call, ({ declared }) =>
    declared.agentKeys === "not_agent_owner" ? NOT_OWNER : FORBIDDEN,
  );
  const open = operations.filter(({ declared }) => declared.agentKeys === "allowed");
  for (const [what, outcome] of Object.entries(await outcomesOf(byAgent.call, open, { body: emptyBody }))) {
    expect(outcome, what).not.toEqual(FORBIDDEN);
    expect(outcome, what).not.toEqual(UNAUTHORIZED);
  }
});

test("an agent's key hears of its owner's things and of another agent's what it would of ids that do not exist", async () => {
  const ids = await someIds(owner);
  const agent = await insertAgent(owner, "other");
  const byAgent = await keyCaller({ ...owner.session, account: agent });
  const open = operations.filter(({ path, declared }) => path.includes("{") && declared.agentKeys === "allowed");
  expect(open.length).toBeGreaterThan(2);
  await allGive(open, byAgent.call, foreign, { ids });
  await allGive(open, byAgent.call, notFound);
});

test("a key of one schedule reaches what declares it, of that schedule alone", async () => {
  const [{ schedule_id: schedule }, others] = await Promise.all([someIds(owner), someIds(await Owner.create(46630))]);
  const other = await putNew(owner, termsOf({ frequency: "daily", start: "2199-01-01" }, owner), new Date());
  const byKey = await keyCaller(owner.session, { schedule: schedule as `sch_${string}` });
  const [open, shut] = [true, false].map((isOpen) =>
    operations.filter(({ declared }) => (declared.scheduleKeys === "allowed") === isOpen),
  ) as [Operation[], Operation[]];
  await allGive(shut, byKey.call, FORBIDDEN);
  for (const schedule_id of [other, others.schedule_id ?? ""]) {
    await allGive(open, byKey.call, notFound, { ids: { schedule_id } });
  }
  const own = open.filter(({ method, path }) => method === "GET" && !path.includes("{run_id}"));
  await allGive(own, byKey.call, [200, undefined], { ids: { schedule_id: schedule ?? "" } });
});

test("a session acts for an agent only where an operation declares it, and only for one of its account's", async () => {
  const [{ id: strangers }, own] = await Promise.all([
    Owner.create(46630).then((stranger) => insertAgent(stranger, "bot")),
    insertAgent(owner, "bot"),
  ]);
  const bySession = await sessionCaller(owner);
  const taking = operations.filter(takesSession);
  const filters = ({ declared: { query } }: Operation) => Object.hasOwn((query as z.ZodObject)?.shape ?? {}, "agent");
  const [acting, others] = [
    taking.filter((one) => one.declared.actsForAgents || filters(one)),
    taking.filter((one) => !one.declared.actsForAgents && !filters(one)),
  ];
  await allGive(acting, bySession, NOT_OWNER, { query: `?agent=${strangers}` });
  await allGive(acting, bySession, [404, "not_found"], { query: "?agent=acct_01ARZ3NDEKTSV4RRFFQ69G5FAV" });
  for (const id of [strangers, own.id]) {
    await allGive(others, bySession, [400, "invalid_request"], { query: `?agent=${id}` });
  }
});

test("a session of a wallet that has no account gets nothing of any operation", async () => {
  const bySession = await sessionCaller({ address: "0x00000000000000000000000000000000000a11ce" });
  await allGive(operations.filter(takesSession), bySession, [404, "not_found"]);
});

test.each(["read pay", "read"])(
  "an application with the access %s gets of every operation what its agent's key of these scopes gets, and a token that ended, or for another address, gets nothing",
  async (scope) => {
    const agent = await insertAgent(owner, "bot");
    const { exchange, asked } = await connected(owner, agent, new Date(), ask(owner, { scope }));
    const token = (await exchangeCode(exchange)).access_token;
    const authenticated = (bearer: string, audience = mcpResource("test")) =>
      authenticateKey(`Bearer ${bearer}`, { requestId: "test", clientAddress: null }, "flag", new Date(), audience);
    const scopes = scope.split(" ") as KeyScope[];
    const wrap = needsSecret(scopes) ? {} : { wrap: null };
    const byKey = await keyCaller({ ...owner.session, account: agent }, { scopes, ...wrap });
    const before = await everythingStored();
    const byToken = await connectionCalls(await authenticated(token));
    const [outcomes, ofKey] = [await outcomesOf(byToken, operations), await outcomesOf(byKey.call, operations)];
    expect(outcomes).toEqual(ofKey);
    expect(await everythingStored()).toEqual(before);
    await allGive(operations, anyoneCalls, UNAUTHORIZED, { headers: { authorization: `Bearer ${token}` } });
    const refused = (...key: Parameters<typeof authenticated>) =>
      expect(authenticated(...key)).rejects.toMatchObject({ code: "unauthorized" });
    await refused(token, mcpResource("live"));
    await refused(token, "http://localhost:3000/v1");
    await refused(byKey.text);
    await revokeToken(token, asked.client.id);
    await refused(token);
  },
);

/** Calls operations as the tools of an application do, whose token was authenticated. */
async function connectionCalls(key: AuthenticatedKey): Promise<RouteCall> {
  const imported = operations.map(async ({ method, path: at }) => {
    const file = path.resolve("app", `.${at.replace(/\{(\w+)\}/g, "[$1]")}`, "route.ts");
    const module = (await import(/* @vite-ignore */ file)) as Record<string, RouteHandler>;
    const pattern = new RegExp(`^${method} ${at.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
    return { pattern, run: operationOf(module[method] as RouteHandler) };
  });
  const table = await Promise.all(imported);
  return async (method, target, body) => {
    const { pathname, searchParams: search } = new URL(target, "http://localhost");
    const bytes = new TextEncoder().encode(body === undefined ? "" : JSON.stringify(body));
    const sent = { headers: new Headers(), body: null, readBody: async () => bytes };
    const call = {
      ...{ method, path: pathname, search, authorization: null, idempotencyKey: null, cookies: null },
      readBody: (limit: BodyLimit, line?: string) => readJsonBytes(sent, limit, line),
    };
    for (const { pattern, run } of table) {
      const match = pattern.exec(`${method} ${pathname}`);
      if (!match) continue;
      const { status, headers, text } = await run(key, call, { ...match.groups });
      return { status, headers, text: String(text ?? ""), json: text === null ? {} : JSON.parse(String(text)) };
    }
    throw new Error(`${method} ${target} is no operation`);
  };
}

test("a session's repeat is refused where a key's is kept, instead of being made twice", async () => {
  const bySession = await sessionCaller(owner);
  const kept = operations.filter((one) => {
    return takesSession(one) && (one.declared.idempotent || one.declared.together !== undefined);
  });
  const headers = { "idempotency-key": "once" };
  await allGive(kept, bySession, [400, "invalid_request"], { headers });
});

/** Creates something of an account for each parameter of a path. */
async function someIds(of: Owner): Promise<Record<string, string>> {
  const created = await oneOfEach(of);
  return Object.fromEntries(Object.entries(TYPE).map(([name, type]) => [name, created[type] ?? ""]));
}

test("every operation refuses a query parameter that it does not know", async () => {
  for (const { method, path, declared } of operations) {
    const { operationId = "" } = declared.docs ?? {};
    // The body is checked first, so a valid one is sent.
    const [recorded] = RECORDED[operationId] ?? [];
    if (!recorded) throw new Error(`${operationId} was not recorded`);
    const { body } = recorded.request;
    const response = await call(method, `${withIds(path)}?nope=1`, method === "GET" ? undefined : body);
    expect(response.status, `${method} ${path}`).toBe(400);
    expect(response.json.error, `${method} ${path}`).toMatchObject({ code: "invalid_request", param: "nope" });
  }
});

test("every POST without a body refuses the fields of one, and takes an empty object", async () => {
  const withoutBody = operations.filter(({ method, declared }) => method === "POST" && !declared.body);
  expect(withoutBody.length).toBeGreaterThan(0);
  for (const { path } of withoutBody) {
    const target = path.replace(/\{(\w+)_id\}/g, "nothing");
    const refused = await call("POST", target, { amount: "1" });
    expect(refused.json.error, path).toMatchObject({ code: "invalid_request", param: "amount" });
    expect((await call("POST", target, {})).status, path).toBe(404);
  }
});

const START = "evt_00000000000000000000000000";
const PAGES = ["limit=0", "limit=101", "limit=abc", "limit=", "limit=1.5", "limit=5&limit=6", "offset=-1"];
const TIMES = ["from=yesterday", "from=2026-11-21", "to=1", "to=2026-02-30T00:00:00Z"];
/** For each list, queries that it refuses by the name of their first parameter. */
const REFUSED: Record<string, string[]> = {
  transfers: [...PAGES, ...TIMES, "offset=10001", "status=x", "key=mine", "colour=red"],
  events: [
    ...[...PAGES, ...TIMES, "type=transfer.unknown", "type=transfer.failed,", "type=", "events=all"],
    ...["type=transfer.failed&type=transfer.failed", "after=evt_1", "after=tr_01ARZ3NDEKTSV4RRFFQ69G5FAV"],
    ...["after=evt_01ARZ3NDEKTSV4RRFFQ69G5FAV", `offset=1&after=${START}`],
  ],
  "audit-log": [...[...PAGES, ...TIMES, "actor=nobody", "action=DROP%20TABLE", "target=a%27b", "status=pending"]],
};

test.each(Object.entries(REFUSED))("GET /v1/%s names the parameter that is wrong", async (list, queries) => {
  for (const query of queries) {
    const { status, json } = await call("GET", `/v1/${list}?${query}`);
    expect([status, json.error], query).toMatchObject([400, { code: "invalid_request", param: query.split("=")[0] }]);
  }
});

test("lists refuse times in the wrong order, and take the same time twice", async () => {
  const times = "from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z";
  for (const list of Object.keys(REFUSED)) {
    const response = await call("GET", `/v1/${list}?${times}`);
    expect(response.json.error, list).toMatchObject({ code: "invalid_request", param: "from" });
  }
  expect((await call("GET", "/v1/transfers?from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z")).status).toBe(200);
});
