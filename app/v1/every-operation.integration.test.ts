import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { KEY_SCOPES, needsSecret } from "@/lib/base/key-scopes";
import { keyCaller, type RouteCall } from "@/test/accounts/api-caller";
import { Owner } from "@/test/accounts/owner";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";

/* What holds for every operation of /v1, by the routes themselves and docs/openapi.json. */

interface Described {
  operationId: string;
  "x-key-scope": (typeof KEY_SCOPES)[number];
  requestBody?: object;
}

interface Operation {
  method: string;
  path: string;
  described: Described;
}

const read = <T>(file: string) => JSON.parse(readFileSync(file, "utf8")) as T;
const { paths } = read<{ paths: Record<string, Record<string, Described>> }>("docs/openapi.json");
/** Recorded requests, by operation. */
const RECORDED = read<Record<string, { request: { path: string; body?: unknown } }[]>>("docs/examples/operations.json");
const OPERATIONS: Operation[] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({ method: method.toUpperCase(), path, described })),
);
/** The prefix of the ids that a parameter of a path takes. */
const PREFIX: Record<string, string> = {
  ...{ account_id: "acct", transfer_id: "tr", transaction_id: "txn", event_id: "evt", webhook_id: "wh" },
  ...{ payment_request_id: "payreq", payout_id: "po", schedule_id: "sch", run_id: "run" },
};
const withUnknownIds = (path: string) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => `${PREFIX[name]}_01ARZ3NDEKTSV4RRFFQ69G5FAV`);

let services: SharedServices;
let owner: Owner;
let call: RouteCall;
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());
// Each test has a quota of its own.
beforeEach(async () => {
  owner = await Owner.create(46630);
  ({ call } = await keyCaller(owner.session));
});

test.each(KEY_SCOPES)(
  "a key of scope %s reaches what declares it, and of everything else hears which scope it lacks",
  async (scope) => {
    const wrap = needsSecret([scope]) ? {} : { wrap: null };
    const narrowed = await keyCaller(owner.session, { scopes: [scope], ...wrap });
    expect(OPERATIONS.some(({ described }) => described["x-key-scope"] === scope)).toBe(true);
    for (const { method, path, described } of OPERATIONS) {
      const response = await narrowed.call(method, withUnknownIds(path), method === "GET" ? undefined : {});
      const lacks = response.json.error?.message.includes("lacks the scope") ?? false;
      expect([method, path, lacks]).toEqual([method, path, described["x-key-scope"] !== scope]);
      if (!lacks) continue;
      expect(response.status).toBe(403);
      expect(response.json.error).toMatchObject({ code: "key_forbidden" });
      expect(response.json.error?.message).toContain(`"${described["x-key-scope"]}"`);
    }
  },
);

test("every operation refuses a query parameter that it does not know", async () => {
  for (const { method, path, described } of OPERATIONS) {
    // The body is checked first, so a valid one is sent.
    const [recorded] = RECORDED[described.operationId] ?? [];
    if (!recorded) throw new Error(`${described.operationId} was not recorded`);
    const { body } = recorded.request;
    const response = await call(method, `${withUnknownIds(path)}?nope=1`, method === "GET" ? undefined : body);
    expect(response.status, `${method} ${path}`).toBe(400);
    expect(response.json.error, `${method} ${path}`).toMatchObject({ code: "invalid_request", param: "nope" });
  }
});

test("every POST without a body refuses the fields of one, and takes an empty object", async () => {
  const withoutBody = OPERATIONS.filter(({ method, described }) => method === "POST" && !described.requestBody);
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
