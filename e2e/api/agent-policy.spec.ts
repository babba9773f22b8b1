import { awayFromMidnight } from "@/test/accounts/away-from-midnight";
import { agentName, agentStateOf, createAgent, newAgent, OPEN_POLICY } from "./agent-fixtures";
import { expect, test } from "./fixtures";

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

test("handle_taken, and the agent keeps its policy: a name that is taken", async ({ alice }) => {
  const { json } = await createAgent(alice);
  const before = await agentStateOf(alice, String(json.account_id));
  const name = String(json.handle).split("/")[1];
  const response = await alice.call("POST", "/v1/accounts/me/agents", { name, spend_policy: { daily_limit_usdg: 1 } });
  expect(response.status).toBe(409);
  expect(response.json.error).toMatchObject({ code: "handle_taken", param: "name" });
  expect(await agentStateOf(alice, String(json.account_id))).toEqual(before);
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
