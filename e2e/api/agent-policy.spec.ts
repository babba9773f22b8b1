import { awayFromMidnight } from "@/test/accounts/away-from-midnight";
import { agentName, agentStateOf, createAgent, newAgent, OPEN_POLICY } from "./agent-fixtures";
import { expect, type Party, test } from "./fixtures";

const DENY_ALL = {
  daily_limit_usdg: 0,
  per_transaction_limit_usdg: 0,
  allowed_recipients: [],
  assets: ["USDG"],
  active_hours: "00:00-24:00",
  hitl_threshold_usdg: 0,
  time_zone: "UTC",
  limits: {},
  monthly_limit_usdg: null,
  payments_per_day: null,
  recipient_limits: [],
  public_payments: false,
};

/** Written into the body verbatim, because JSON.stringify would change some of them. */
const BAD_NUMBERS = [
  "-1",
  '"100"',
  "null",
  '"NaN"',
  "1e21",
  "0.0000001",
  "1000000000.000001",
  "1000000001",
  "true",
  "[]",
];
const BAD_HOURS = ["25:00-26:00", "9:00-18:00", "09:00", "24:00-06:00", "09:00-09:00", "09:00-18:60", ""];
const BAD_RECIPIENTS = ["*.", "*.com", "*.*.x.com", "a*.x.com", `@${"a".repeat(299)}`, "", "bob smith", "@bób"];

type Bad = [field: string, json: string, param?: string];
const quoted = (value: unknown) => JSON.stringify(value);
const BAD: Bad[] = [
  ...["daily_limit_usdg", "per_transaction_limit_usdg", "hitl_threshold_usdg"].flatMap((field) =>
    BAD_NUMBERS.map((json): Bad => [field, json]),
  ),
  ...[...BAD_HOURS.map(quoted), "null", "9"].map((json): Bad => ["active_hours", json]),
  ...["Mars/Olympus", "", "PST", "+02:00"].map((zone): Bad => ["time_zone", quoted(zone)]),
  ["time_zone", "null"],
  ...BAD_RECIPIENTS.map((entry): Bad => ["allowed_recipients", quoted(["@bob", entry]), "allowed_recipients.1"]),
  ["allowed_recipients", quoted(Array.from({ length: 1_001 }, (_, i) => `@user-${i}`))],
  ["allowed_recipients", "null"],
  ["allowed_recipients", '"*"'],
  ["assets", '["DOGE"]', "assets.0"],
  ["assets", "null"],
  ["limits", '{"DOGE": {}}', "limits.DOGE"],
  ["limits", '{"ETH": {"daily": 1, "per_transaction": "1", "hitl_threshold": "1"}}', "limits.ETH.daily"],
  ["limits", '{"ETH": {"daily": "1"}}', "limits.ETH.per_transaction"],
  ["colour", '"red"'],
  ["policy_id", '"pol_00000000000000000000000000"'],
  ["updated_at", '"2026-01-01T00:00:00.000Z"'],
];

const short = (json: string) => (json.length > 60 ? `${json.slice(0, 57)}...` : json);
const agentsOf = async (party: Party) => (await party.call("GET", "/v1/accounts/me/agents")).json.agents;

/** An agent of alice, one per worker. Refused requests leave it unchanged. */
let standing: ReturnType<typeof createAgent> | undefined;

for (const [field, json, param = field] of BAD) {
  test(`invalid_policy naming ${param}, and nothing is stored: ${field} ${short(json)}`, async ({ alice }) => {
    standing ??= createAgent(alice);
    const { json: agent } = await standing;
    const before = await agentStateOf(alice, String(agent.account_id));
    // Next to a valid field, which must not be applied either.
    const good = field === "hitl_threshold_usdg" ? "daily_limit_usdg" : "hitl_threshold_usdg";
    const bad = `{"${good}": 7, "${field}": ${json}}`;
    const patched = await alice.call("PATCH", `/v1/agents/${agent.account_id}/spend-policy`, bad);
    expect(patched.json.error, patched.text).toMatchObject({ code: "invalid_policy", param });
    expect(patched.status).toBe(400);
    const created = await alice.call(
      "POST",
      "/v1/accounts/me/agents",
      `{"name": "${agentName()}", "spend_policy": ${bad}}`,
    );
    expect(created.json.error, created.text).toMatchObject({ code: "invalid_policy", param: `spend_policy.${param}` });
    expect(created.status).toBe(400);
    expect(await agentStateOf(alice, String(agent.account_id))).toEqual(before);
  });
}

for (const name of ["", "a".repeat(33), "a/b", "бот", "Bot", "bot bot", "@bot", null, 7, undefined]) {
  test(`invalid_policy naming name, and there is no agent: ${JSON.stringify(name)}`, async ({ alice }) => {
    const before = await agentsOf(alice);
    const response = await alice.call("POST", "/v1/accounts/me/agents", { name, spend_policy: OPEN_POLICY });
    expect(response.status).toBe(400);
    expect(response.json.error).toMatchObject({ code: "invalid_policy", param: "name" });
    expect(await agentsOf(alice)).toEqual(before);
  });
}

test("handle_taken, and the agent keeps its policy: a name that is taken", async ({ alice }) => {
  const { json } = await createAgent(alice);
  const before = await agentStateOf(alice, String(json.account_id));
  const name = String(json.handle).split("/")[1];
  const response = await alice.call("POST", "/v1/accounts/me/agents", { name, spend_policy: { daily_limit_usdg: 1 } });
  expect(response.status).toBe(409);
  expect(response.json.error).toMatchObject({ code: "handle_taken", param: "name" });
  expect(await agentStateOf(alice, String(json.account_id))).toEqual(before);
});

test("a body that is no policy at all is refused", async ({ alice }) => {
  const { json } = await createAgent(alice);
  for (const body of ["[]", '"x"', "null", "7"]) {
    const response = await alice.call("PATCH", `/v1/agents/${json.account_id}/spend-policy`, body);
    expect(response.status).toBe(400);
    expect(response.json.error).toMatchObject({ code: "invalid_policy", param: "body" });
  }
});

test("what a registration leaves out denies", async ({ alice, bob }) => {
  const bare = await alice.call("POST", "/v1/accounts/me/agents", { name: agentName() });
  const path = `/v1/agents/${bare.json.account_id}/spend-policy`;
  expect((await alice.call("GET", path)).json).toEqual({
    policy_id: bare.json.spend_policy_id,
    ...DENY_ALL,
    updated_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
  });
  await alice.call("POST", "/v1/transfers", { to: bare.json.handle, amount: "1" });
  const refused = await alice.call("POST", "/v1/transfers", {
    from: bare.json.handle,
    to: bob.handle,
    amount: "0.000001",
  });
  expect(refused.json.error).toMatchObject({ code: "policy_violation", reason: "recipient_not_allowed" });
  const partly = await createAgent(alice, { daily_limit_usdg: 0.000001 });
  expect((await alice.call("GET", `/v1/agents/${partly.json.account_id}/spend-policy`)).json).toMatchObject({
    ...DENY_ALL,
    daily_limit_usdg: 0.000001,
  });
});

test("every field is stored as it was given, in its standard form, also at its bounds", async ({ alice }) => {
  const recipients = Array.from({ length: 1_000 }, (_, i) => `@user-${i}`);
  const policy = {
    daily_limit_usdg: 1_000_000_000,
    per_transaction_limit_usdg: 999_999_999.999999,
    hitl_threshold_usdg: 0.1,
    allowed_recipients: recipients,
    assets: ["ETH", "USDG"],
    active_hours: "22:00-06:00",
    time_zone: "Europe/Zurich",
    limits: { ETH: { daily: "1000000000", per_transaction: "0.000000001", hitl_threshold: "0" } },
  };
  const { json } = await createAgent(alice, policy);
  const path = `/v1/agents/${json.account_id}/spend-policy`;
  expect((await alice.call("GET", path)).json).toMatchObject(policy);
  const written = { allowed_recipients: ["Bob-Smith", "@ALICE/Bot", "*.Example.com", "*"], time_zone: "europe/zurich" };
  const patched = await alice.call("PATCH", path, written);
  expect(patched.json).toMatchObject({
    ...policy,
    allowed_recipients: ["@bob-smith", "@alice/bot", "*.example.com", "*"],
    time_zone: "Europe/Zurich",
  });
  expect((await alice.call("GET", path)).json).toEqual(patched.json);
  // The owner's client also reads the policy's state on the ledger. No response to an API key contains that.
  const own = await (await alice.session.get(path.replace("/v1/", "/api/"))).json();
  expect(own).toMatchObject({ ...patched.json, in_force: expect.stringMatching(/^(yes|pending)$/) });
  expect(Object.keys(patched.json)).not.toEqual(expect.arrayContaining(["ledger"]));
});

test("a change sends one event with the names of its fields and is logged with both values; no change leaves no trace", async ({
  alice,
}) => {
  const { json } = await createAgent(alice);
  const path = `/v1/agents/${json.account_id}/spend-policy`;
  const stored = (await alice.call("GET", path)).json;
  const same = { daily_limit_usdg: OPEN_POLICY.daily_limit_usdg, allowed_recipients: ["*", "*"] };
  for (const nothing of [{}, same]) {
    const response = await alice.call("PATCH", path, nothing);
    expect(response.status).toBe(200);
    expect(response.json).toEqual(stored);
  }
  const changed = await alice.call("PATCH", path, { ...same, daily_limit_usdg: 40, active_hours: "08:00-20:00" });
  expect(changed.status).toBe(200);
  expect(changed.json).toEqual({
    ...stored,
    daily_limit_usdg: 40,
    active_hours: "08:00-20:00",
    updated_at: expect.any(String),
  });
  expect(changed.json.updated_at).not.toBe(stored.updated_at);

  const events = await alice.call("GET", "/v1/events?type=agent.policy.updated&limit=100");
  const mine = JSON.stringify(events.json.events).split(String(json.spend_policy_id)).length - 1;
  expect(mine).toBe(1);
  expect(events.text).toContain('"changed":["daily_limit_usdg","active_hours"]');
  const log = await alice.call("GET", `/v1/audit-log?target=${json.account_id}&action=agent.policy.updated`);
  expect(log.json.entries).toEqual([
    expect.objectContaining({
      actor: expect.objectContaining({ type: "key", id: alice.keyId }),
      before: { daily_limit_usdg: 100, active_hours: "00:00-24:00" },
      after: {
        daily_limit_usdg: 40,
        active_hours: "08:00-20:00",
        // The signed policy, as it can be found on chain.
        set_policy: {
          policy_version: "1",
          document_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
          signature: expect.stringMatching(/^0x[0-9a-f]{130}$/),
        },
      },
    }),
  ]);
});

test("changes at the same time are all kept: each patch touches its own fields only", async ({ alice }) => {
  const { json } = await createAgent(alice);
  const path = `/v1/agents/${json.account_id}/spend-policy`;
  const patches = [
    { daily_limit_usdg: 11 },
    { per_transaction_limit_usdg: 12 },
    { hitl_threshold_usdg: 13 },
    { active_hours: "01:00-02:00" },
    { time_zone: "Asia/Tokyo" },
    { assets: ["ETH"] },
  ];
  const responses = await Promise.all(patches.map((patch) => alice.call("PATCH", path, patch)));
  expect(responses.map(({ status }) => status)).toEqual(patches.map(() => 200));
  expect((await alice.call("GET", path)).json).toMatchObject(Object.assign({}, ...patches));
});

test("a policy holds from the next payment on; what is settled stays", async ({ alice, bob }) => {
  await awayFromMidnight();
  const agent = await newAgent(alice, "20", { ...OPEN_POLICY, hitl_threshold_usdg: 50 });
  const path = `/v1/agents/${agent.id}/spend-policy`;
  const pay = (amount: string) => agent.call("POST", "/v1/transfers", { to: bob.handle, amount });
  const reason = async (amount: string) => (await pay(amount)).json.error;
  expect((await pay("3")).status).toBe(201);
  await alice.call("PATCH", path, { per_transaction_limit_usdg: 2 });
  expect(await reason("2.000001")).toMatchObject({ code: "policy_violation", reason: "per_transaction_limit" });
  await alice.call("PATCH", path, { daily_limit_usdg: 4 });
  expect(await reason("1.000001")).toMatchObject({ reason: "daily_limit" });
  expect((await pay("1")).status).toBe(201);
  await alice.call("PATCH", path, { allowed_recipients: [alice.handle] });
  expect(await reason("0.1")).toMatchObject({ reason: "recipient_not_allowed" });
  await alice.call("PATCH", path, { allowed_recipients: [bob.address], daily_limit_usdg: 100, assets: [] });
  expect(await reason("0.1")).toMatchObject({ reason: "asset_not_allowed" });
  await alice.call("PATCH", path, { assets: ["USDG"], per_transaction_limit_usdg: 50 });
  expect((await pay("5")).status).toBe(201);
});

test("simulate tries a draft on payments rule by rule, and nothing changes", async ({ alice, bob }) => {
  const agent = await newAgent(alice, "0");
  const before = await agentStateOf(alice, agent.id);
  const noon = "2026-11-21T12:00:00Z";
  const payments = [
    { to: bob.handle, amount: "5", at: noon },
    { to: bob.handle, amount: "30", at: "2026-11-21T03:00:00Z" },
    { to: bob.address, amount: "31", at: noon },
    { to: bob.handle, amount: "1", asset: "ETH", at: noon },
  ];
  const path = `/v1/agents/${agent.id}/spend-policy/simulate`;
  const stored = await agent.call("POST", path, { payments });
  expect(stored.status, stored.text).toBe(200);
  const outcomes = (json: unknown) =>
    (json as { decisions: { outcome: string; reason?: string }[] }).decisions.map(({ outcome, reason }) => [
      outcome,
      ...(reason ? [reason] : []),
    ]);
  expect(outcomes(stored.json)).toEqual([["allowed"], ["held"], ["held"], ["denied", "asset_not_allowed"]]);
  const draft = { active_hours: "04:00-03:00", per_transaction_limit_usdg: 30, hitl_threshold_usdg: 30 };
  const tried = await alice.call("POST", path, { spend_policy: draft, payments: payments.slice(0, 3) });
  expect(outcomes(tried.json)).toEqual([
    ["allowed"],
    ["denied", "outside_active_hours"],
    ["denied", "per_transaction_limit"],
  ]);
  expect((tried.json.decisions as { rules: unknown[] }[])[1]?.rules).toEqual([
    { rule: "agent_paused", outcome: "pass" },
    { rule: "asset_not_allowed", outcome: "pass" },
    { rule: "recipient_not_allowed", outcome: "pass" },
    { rule: "outside_active_hours", outcome: "fail" },
    { rule: "per_transaction_limit", outcome: "pass" },
    { rule: "daily_limit", outcome: "pass" },
    { rule: "approval_threshold", outcome: "pass" },
  ]);
  const bySession = await alice.session.send("POST", path.replace("/v1/", "/api/"), { payments });
  expect(outcomes(await bySession.json())).toEqual(outcomes(stored.json));
  expect(await agentStateOf(alice, agent.id)).toEqual(before);
});

test("simulate names the field at fault: a draft's is invalid_policy, a payment's invalid_request", async ({
  alice,
  bob,
}) => {
  const { json } = await createAgent(alice);
  const path = `/v1/agents/${json.account_id}/spend-policy/simulate`;
  const payment = { to: bob.handle, amount: "1" };
  const refused: [body: object, code: string, param: string][] = [
    [{ spend_policy: { active_hours: "9" }, payments: [payment] }, "invalid_policy", "spend_policy.active_hours"],
    [{ payments: [] }, "invalid_request", "payments"],
    [{ payments: Array.from({ length: 101 }, () => payment) }, "invalid_request", "payments"],
    [{ payments: [payment, { ...payment, amount: "0" }] }, "invalid_request", "payments.1.amount"],
    [{ payments: [payment, { ...payment, to: "@nobody-has-this" }] }, "recipient_not_found", "payments.1.to"],
  ];
  for (const [body, code, param] of refused) {
    expect((await alice.call("POST", path, body)).json.error).toMatchObject({ code, param });
  }
});
