import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { insertAgent } from "@/test/accounts/agent-row";
import { keyCaller, type RouteCall, type RouteResponse, sessionCaller } from "@/test/accounts/api-caller";
import { Owner } from "@/test/accounts/owner";
import { everythingStored } from "@/test/services/everything-stored";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";

const URL = "https://example.com/hook";
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const INPUT = { url: URL, events: ["transfer.failed"] };
let services: SharedServices;
let owner: Owner;
let stranger: Owner;
let call: RouteCall;
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  [owner, stranger] = await Promise.all([Owner.create(46630), Owner.create(46630)]);
  ({ call } = await keyCaller(owner.session));
});

/** Makes a request, and expects that it is refused so and leaves nothing. */
async function refused(request: () => Promise<RouteResponse>, error: object, what?: string): Promise<RouteResponse> {
  const before = await everythingStored();
  const response = await request();
  expect([response.status, response.json.error], what ?? response.text).toMatchObject(error);
  expect(await everythingStored()).toEqual(before);
  return response;
}

const created = async () => (await call("POST", "/v1/webhooks", INPUT)).json as { webhook_id: string; secret: string };

test("a webhook is created with a secret that no other response holds", async () => {
  const events = ["transfer.failed", "transfer.confirmed", "transfer.failed"];
  const { status, json } = await call("POST", "/v1/webhooks", { url: URL, events });
  expect(status).toBe(201);
  const { secret, ...shown } = json;
  expect(shown).toEqual({
    webhook_id: expect.stringMatching(/^wh_[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
    url: URL,
    events: ["transfer.confirmed", "transfer.failed"],
    enabled: true,
    store_responses: true,
    disabled_reason: null,
    disabled_at: null,
    created_at: expect.stringMatching(TIME),
  });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const listed = await call("GET", "/v1/webhooks");
  expect(listed.json).toEqual({ webhooks: [shown], has_more: false });
  const patched = await call("PATCH", `/v1/webhooks/${shown.webhook_id}`, {});
  expect(patched).toMatchObject({ status: 200, json: shown });
  expect(listed.text + patched.text).not.toContain("whsec_");
});

test("a webhook that is wrong is refused by the name of its field, at its creation and in a change", async () => {
  const { webhook_id } = await created();
  const inBoth: [param: string, body: object][] = [
    ["url", { ...INPUT, url: 1 }],
    ["url", { ...INPUT, url: "http://10.0.0.1/" }],
    ["events", { ...INPUT, events: "transfer.failed" }],
    ["events", { ...INPUT, events: [] }],
    ["events.1", { ...INPUT, events: ["transfer.failed", "transfer.unknown"] }],
    ["events.0", { ...INPUT, events: ["*"] }],
    ["secret", { ...INPUT, secret: "whsec_mine" }],
  ];
  const atCreation: [param: string, body: object | string][] = [
    ["url", { events: INPUT.events }],
    ["events", { url: URL }],
    ["enabled", { ...INPUT, enabled: false }],
    ...["[]", "", "{"].map((body): [string, string] => ["body", body]),
  ];
  const inChange: [param: string, body: object][] = [
    ["url", { url: null }],
    ["enabled", { enabled: "yes" }],
  ];
  for (const [param, body] of [...inBoth, ...atCreation]) {
    await refused(() => call("POST", "/v1/webhooks", body), [400, { code: "invalid_request", param }]);
  }
  for (const [param, body] of [...inBoth, ...inChange]) {
    await refused(() => call("PATCH", `/v1/webhooks/${webhook_id}`, body), [400, { code: "invalid_request", param }]);
  }
});

test("a change changes what it names and nothing else", async () => {
  const { webhook_id, secret: _, ...first } = await created();
  const patched = async (body: unknown) => (await call("PATCH", `/v1/webhooks/${webhook_id}`, body)).json;
  expect(await patched({ url: `${URL}/new` })).toMatchObject({ ...first, url: `${URL}/new` });
  expect(await patched({ events: ["agent.policy.updated"] })).toMatchObject({ events: ["agent.policy.updated"] });
  expect(await patched({ enabled: false })).toMatchObject({
    enabled: false,
    disabled_reason: "owner",
    disabled_at: expect.stringMatching(TIME),
  });
  const after = await patched({ enabled: true });
  expect(after).toMatchObject({ enabled: true, disabled_reason: null, disabled_at: null, webhook_id });
  expect(await patched({})).toEqual(after);
});

const AT = "/v1/webhooks/{id}";
/** Every operation on a webhook. */
const ON_A_WEBHOOK: [method: string, path: string, body?: object][] = [
  ["PATCH", AT, { url: `${URL}/stolen` }],
  ["DELETE", AT],
  ["GET", `${AT}/deliveries`],
  ["POST", `${AT}/test`, {}],
  ["POST", `${AT}/rotate-secret`],
  ["POST", `${AT}/redeliver`, { since: "2026-01-01T00:00:00Z" }],
  ["POST", `${AT}/replay/evt_01ARZ3NDEKTSV4RRFFQ69G5FAV`],
];

test("another account's webhook and an unknown one are not found, in the same words, by key and by session", async () => {
  const { webhook_id } = await created();
  const byKey = (await keyCaller(stranger.session)).call;
  const bySession = await sessionCaller(stranger);
  const words = new Set<unknown>();
  for (const id of [webhook_id, "wh_01ARZ3NDEKTSV4RRFFQ69G5FAV", "nothing"]) {
    for (const [method, path, body] of ON_A_WEBHOOK) {
      const target = path.replace("{id}", id);
      const sent = method === "GET" ? undefined : (body ?? {});
      for (const request of [() => byKey(method, target, body), () => bySession(method, target, sent)]) {
        const { json } = await refused(request, [404, { code: "not_found" }], `${method} ${target}`);
        words.add(json.error?.message);
      }
    }
  }
  expect(words.size).toBe(1);
});

test("an agent's key reaches neither webhooks nor events, and nothing changes", async () => {
  const { webhook_id } = await created();
  const agent = await keyCaller({ ...owner.session, account: await insertAgent(owner) });
  const others: typeof ON_A_WEBHOOK = [
    ["GET", "/v1/events"],
    ["GET", "/v1/events/evt_01ARZ3NDEKTSV4RRFFQ69G5FAV"],
    ["GET", "/v1/webhooks"],
    ["POST", "/v1/webhooks", INPUT],
  ];
  for (const [method, path, body] of [...others, ...ON_A_WEBHOOK]) {
    const target = path.replace("{id}", webhook_id);
    await refused(() => agent.call(method, target, body), [403, { code: "key_forbidden" }], `${method} ${target}`);
  }
});

test("an Idempotency-Key makes one webhook, one test and one rotation, with the same response each time", async () => {
  const headers = { "idempotency-key": "one-webhook" };
  const [first, second] = [
    await call("POST", "/v1/webhooks", INPUT, headers),
    await call("POST", "/v1/webhooks", INPUT, headers),
  ];
  expect(second).toMatchObject({ status: 201, json: first.json, headers: { "idempotent-replayed": "true" } });
  expect((await call("GET", "/v1/webhooks")).json.webhooks).toHaveLength(1);
  const other = { ...INPUT, url: `${URL}/other` };
  await refused(() => call("POST", "/v1/webhooks", other, headers), [422, { code: "idempotency_mismatch" }]);
  const at = `/v1/webhooks/${first.json.webhook_id}`;
  for (const [verb, body] of [
    ["test", {}],
    ["rotate-secret", undefined],
  ] as const) {
    const again = { "idempotency-key": `one-${verb}` };
    const responses = [];
    for (const _ of "12") responses.push(await call("POST", `${at}/${verb}`, body, again));
    expect(responses[1]?.json).toEqual(responses[0]?.json);
  }
  expect((await call("GET", `${at}/deliveries`)).json.deliveries).toHaveLength(1);
});

test("deliveries, tests and redeliveries name the parameter or field that is wrong", async () => {
  const { webhook_id } = await created();
  const at = `/v1/webhooks/${webhook_id}`;
  for (const query of ["status=lost", "limit=101", "offset=-1", "event=x"]) {
    const error = [400, { code: "invalid_request", param: query.split("=")[0] }];
    await refused(() => call("GET", `${at}/deliveries?${query}`), error, query);
  }
  const bySession = await sessionCaller(owner);
  for (const query of [
    "status=done",
    "event=transfer",
    "event_id=evt_1",
    "webhook_id=x",
    "from=yesterday",
    "colour=red",
  ]) {
    const error = [400, { code: "invalid_request", param: query.split("=")[0] }];
    await refused(() => bySession("GET", `/api/deliveries?${query}`), error, query);
  }
  const bodies: [verb: string, param: string, body: unknown][] = [
    ["test", "event", { event: "nothing" }],
    ["test", "type", { type: "transfer.failed" }],
    ["redeliver", "since", {}],
    ["redeliver", "since", { since: "yesterday" }],
    ["redeliver", "since", { since: 1 }],
    ["redeliver", "body", ""],
  ];
  for (const [verb, param, body] of bodies) {
    await refused(() => call("POST", `${at}/${verb}`, body), [400, { code: "invalid_request", param }]);
  }
  // A disabled webhook is sent nothing, not even a test.
  await call("PATCH", at, { enabled: false });
  for (const [verb, body] of [
    ["test", {}],
    ["redeliver", { since: "2026-01-01T00:00:00Z" }],
  ] as const) {
    await refused(() => call("POST", `${at}/${verb}`, body), [400, { code: "invalid_request" }], verb);
  }
});
