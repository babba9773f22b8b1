import { deliveriesOf, expect, pay, subscribe, test } from "./webhook-fixtures";

const URL = "https://example.com/hook";
const ID = /^wh_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test("201: the contract's fields, and a secret that no other response holds", async ({ alice, receiver }) => {
  const created = await alice.call("POST", "/v1/webhooks", {
    url: receiver.url(),
    events: ["transfer.failed", "transfer.confirmed", "transfer.failed"],
  });
  expect(created.status).toBe(201);
  const { secret, ...shown } = created.json;
  expect(shown).toEqual({
    webhook_id: expect.stringMatching(ID),
    url: receiver.url(),
    events: ["transfer.confirmed", "transfer.failed"],
    enabled: true,
    store_responses: true,
    disabled_reason: null,
    disabled_at: null,
    created_at: expect.stringMatching(TIME),
  });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const listed = await alice.call("GET", "/v1/webhooks");
  expect(listed.status).toBe(200);
  expect(listed.json).toEqual({ webhooks: [shown], has_more: false });
  const patched = await alice.call("PATCH", `/v1/webhooks/${shown.webhook_id}`, {});
  expect(patched).toMatchObject({ status: 200, json: shown });
  expect(listed.text + patched.text).not.toContain("whsec_");
});

const REFUSED: [body: unknown, param: string][] = [
  [{ events: ["transfer.failed"] }, "url"],
  [{ url: 1, events: ["transfer.failed"] }, "url"],
  [{ url: URL }, "events"],
  [{ url: URL, events: "transfer.failed" }, "events"],
  [{ url: URL, events: [] }, "events"],
  [{ url: URL, events: ["transfer.failed", "transfer.unknown"] }, "events.1"],
  [{ url: URL, events: ["*"] }, "events.0"],
  [{ url: URL, events: ["transfer.failed"], secret: "whsec_mine" }, "secret"],
  [{ url: URL, events: ["transfer.failed"], enabled: false }, "enabled"],
  ["[]", "body"],
  ["", "body"],
  ["{", "body"],
];
const REFUSED_URLS = [
  "",
  "example.com",
  "ftp://example.com/",
  "http://example.com/hook",
  "https://user:secret@example.com/",
  "https://example.com/#part",
  "https://example.com:22/",
  "https://10.0.0.1/",
  "https://169.254.169.254/latest/meta-data/",
  "https://[::1]/",
  "https://[::ffff:10.0.0.1]/",
  "https://[64:ff9b::a00:1]/",
  "https://2130706434/",
  "http://0.0.0.0:3000/",
  "http://127.0.0.2:3000/",
  "http://localhost.example.com:3000/",
  `https://example.com/${"x".repeat(2_048)}`,
];
for (const url of REFUSED_URLS) REFUSED.push([{ url, events: ["transfer.failed"] }, "url"]);

for (const [body, param] of REFUSED) {
  test(`400 naming ${param}: POST ${JSON.stringify(body).slice(0, 90)}`, async ({ bob }) => {
    const response = await bob.call("POST", "/v1/webhooks", body);
    expect(response.status).toBe(400);
    expect(response.json.error).toMatchObject({ code: "invalid_request", param });
    expect((await bob.call("GET", "/v1/webhooks")).json).toEqual({ webhooks: [], has_more: false });
  });
}

test("PATCH changes what it names and nothing else; what is wrong changes nothing", async ({ alice, receiver }) => {
  const { webhook_id, secret: _, ...created } = await subscribe(alice, receiver.url());
  const path = `/v1/webhooks/${webhook_id}`;
  const patched = async (body: unknown) => (await alice.call("PATCH", path, body)).json;
  expect(await patched({ url: receiver.url("/new") })).toMatchObject({ ...created, url: receiver.url("/new") });
  expect(await patched({ events: ["agent.policy.updated"] })).toMatchObject({ events: ["agent.policy.updated"] });
  expect(await patched({ enabled: false })).toMatchObject({
    enabled: false,
    disabled_reason: "owner",
    disabled_at: expect.stringMatching(TIME),
  });
  const after = await patched({ enabled: true });
  expect(after).toMatchObject({ enabled: true, disabled_reason: null, disabled_at: null, webhook_id });
  for (const [body, param] of [
    [{ url: "http://10.0.0.1/" }, "url"],
    [{ url: null }, "url"],
    [{ events: [] }, "events"],
    [{ enabled: "yes" }, "enabled"],
    [{ secret: "x" }, "secret"],
    [{ url: URL, events: ["nothing"] }, "events.0"],
  ] as const) {
    const refused = await alice.call("PATCH", path, body);
    expect(refused.status, JSON.stringify(body)).toBe(400);
    expect(refused.json.error).toMatchObject({ code: "invalid_request", param });
  }
  expect(await patched({})).toEqual(after);
});

test("404 to every verb for an unknown webhook and for another account's, which stays as it was", async ({
  alice,
  bob,
  receiver,
}) => {
  const webhook = await subscribe(alice, receiver.url());
  const [transfer, before] = [await pay(alice, bob), (await alice.call("GET", "/v1/webhooks")).text];
  const { events } = (await alice.call("GET", "/v1/events")).json as { events: { event_id: string }[] };
  const verbs = (id: string): [method: string, path: string, body?: unknown][] => [
    ["PATCH", `/v1/webhooks/${id}`, { url: receiver.url("/stolen") }],
    ["DELETE", `/v1/webhooks/${id}`],
    ["GET", `/v1/webhooks/${id}/deliveries`],
    ["POST", `/v1/webhooks/${id}/test`, {}],
    ["POST", `/v1/webhooks/${id}/rotate-secret`],
    ["POST", `/v1/webhooks/${id}/redeliver`, { since: "2026-01-01T00:00:00Z" }],
    ["POST", `/v1/webhooks/${id}/replay/${events[0]?.event_id}`],
  ];
  const ids = [webhook.webhook_id, "wh_01ARZ3NDEKTSV4RRFFQ69G5FAV", "nothing", transfer, "%27%20or%201=1"];
  const bodies = new Set<string>();
  for (const id of ids) {
    for (const [method, path, body] of verbs(id)) {
      const response = await bob.call(method, path, body);
      expect(response.status, `${method} ${path}`).toBe(404);
      const { request_id: _, ...error } = response.json.error ?? { request_id: "" };
      bodies.add(JSON.stringify(error));
    }
  }
  // Both responses are identical.
  expect([...bodies]).toHaveLength(1);
  expect((await alice.call("GET", "/v1/webhooks")).text).toBe(before);
  await expect.poll(() => receiver.types()).toContain("transfer.initiated");
  expect(receiver.received.map(({ path }) => path)).not.toContain("/stolen");
});

test("an Idempotency-Key makes one webhook, with the same secret each time", async ({ alice, receiver }) => {
  const headers = { "idempotency-key": `webhook-${Date.now()}` };
  const body = { url: receiver.url(), events: ["transfer.failed"] };
  const [first, second] = [
    await alice.call("POST", "/v1/webhooks", body, headers),
    await alice.call("POST", "/v1/webhooks", body, headers),
  ];
  expect(second).toMatchObject({ status: 201, json: first.json });
  expect(second.headers["idempotent-replayed"]).toBe("true");
  expect((await alice.call("GET", "/v1/webhooks")).json.webhooks).toHaveLength(1);
  const other = await alice.call("POST", "/v1/webhooks", { ...body, url: receiver.url("/other") }, headers);
  expect(other.json.error?.code).toBe("idempotency_mismatch");

  const { webhook_id } = first.json;
  for (const [path, sent] of [
    ["test", {}],
    ["rotate-secret", undefined],
  ] as const) {
    const again = { "idempotency-key": `${path}-${Date.now()}` };
    const responses = [];
    for (const _ of "12") responses.push(await alice.call("POST", `/v1/webhooks/${webhook_id}/${path}`, sent, again));
    expect(responses[1]?.json).toEqual(responses[0]?.json);
  }
  expect(await deliveriesOf(alice, String(webhook_id))).toHaveLength(1);
});

test("401 without a key, 405 with the methods that work", async ({ bob }) => {
  const nobody = (method: string, path: string) => bob.call(method, path, undefined, { authorization: "" });
  for (const path of ["/v1/webhooks", "/v1/webhooks/wh_1/deliveries", "/v1/events", "/v1/events/evt_1"]) {
    expect((await nobody("GET", path)).json.error?.code, path).toBe("unauthorized");
  }
  const wrong = await bob.call("PUT", "/v1/webhooks/wh_1", {});
  expect(wrong.status).toBe(405);
  expect(wrong.headers.allow).toBe("DELETE, PATCH");
});
