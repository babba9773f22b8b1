import { awayFromMidnight } from "@/test/accounts/away-from-midnight";
import { newAgent, OPEN_POLICY } from "./agent-fixtures";
import { expect, type Party, settled, stateOf, test } from "./fixtures";

const CLOSED = (() => {
  const hour = (ahead: number) => String((new Date().getUTCHours() + ahead) % 24).padStart(2, "0");
  return `${hour(3)}:00-${hour(5)}:00`;
})();

const transferOf = (json: Record<string, unknown>) => String(json.transfer_id);
const pay = (by: { call: Party["call"] }, body: object, query = "") => by.call("POST", `/v1/transfers${query}`, body);

test("201: an agent pays by its key within its policy, and its owner by `from`; both are confirmed", async ({
  alice,
  bob,
}) => {
  const agent = await newAgent(alice, "20");
  const own = await pay(agent, { to: bob.handle, amount: "3.331337", memo: "canary-memo" });
  expect(own.status, own.text).toBe(201);
  expect(own.json).toMatchObject({ from: agent.handle, to: bob.handle, confidential: true, direction: "sent" });
  const owners = await pay(alice, { from: agent.handle, to: bob.handle, amount: "2" });
  expect(owners.status, owners.text).toBe(201);
  expect(owners.json).toMatchObject({ from: agent.handle });
  for (const { json, text } of [own, owners]) {
    // The seconds of a time, which may be the same digits, follow a colon.
    expect(text).not.toMatch(/(?<!:\d?)3\.33|3331337|canary-memo/);
    expect(await settled(alice, transferOf(json))).toMatchObject({ status: "confirmed" });
  }
  const seen = await agent.call("GET", "/v1/transfers");
  const ids = (seen.json.transfers as { transfer_id: string }[]).map(({ transfer_id }) => transfer_id);
  expect(ids).toEqual(expect.arrayContaining([own, owners].map(({ json }) => transferOf(json))));
});

test("201: money moves to one's own agent and back at once, confidentially, listed once, whatever the policy says", async ({
  alice,
}) => {
  const agent = await newAgent(alice, "0", { ...OPEN_POLICY, allowed_recipients: [] });
  const there = await pay(alice, { to: agent.handle, amount: "5", memo: "for the week" });
  const back = await pay(alice, { from: agent.handle, to: alice.handle, amount: "4" });
  expect([there.status, back.status], there.text + back.text).toEqual([201, 201]);
  expect(back.json).toMatchObject({ from: agent.handle, to: alice.handle, confidential: true });
  for (const { json } of [there, back]) {
    expect(await settled(alice, transferOf(json))).toMatchObject({ status: "confirmed", confidential: true });
  }
  const { json } = await alice.call("GET", "/v1/transfers?limit=20");
  const listed = (json.transfers as { transfer_id: string }[]).filter(
    ({ transfer_id }) => transfer_id === transferOf(there.json),
  );
  expect(listed.length).toBe(1);
});

test("201: what others pay an agent is its to spend once its owner has allocated it; its owner is paid under its policy", async ({
  alice,
  bob,
}) => {
  const agent = await newAgent(bob, "0", { ...OPEN_POLICY, allowed_recipients: [alice.handle] });
  const gift = await pay(alice, { to: agent.handle, amount: "5" });
  expect(gift.status, gift.text).toBe(201);
  expect(await settled(alice, transferOf(gift.json))).toMatchObject({ status: "confirmed" });
  expect((await pay(agent, { to: alice.handle, amount: "1" })).json.error?.code).toBe("insufficient_balance");
  // What was received is indexed a moment after it is confirmed.
  await expect(async () => {
    expect((await bob.client.balances.makeAvailable({ agent: agent.handle })).notes).toBeGreaterThan(0);
  }).toPass();
  const paid = await pay(agent, { to: alice.handle, amount: "1" });
  expect(paid.status, paid.text).toBe(201);
  const refused = await pay(agent, { to: bob.handle, amount: "1" });
  expect(refused.json.error).toMatchObject({ code: "policy_violation", reason: "recipient_not_allowed" });
  expect(refused.status).toBe(403);
});

test("202: over the threshold it is held; the response says who and until when, never how much", async ({
  alice,
  bob,
}) => {
  const agent = await newAgent(alice, "30");
  const response = await pay(agent, { to: bob.handle, amount: "10.000001", memo: "canary-memo" });
  expect(response.status, response.text).toBe(202);
  expect(response.json).toEqual({
    transaction_id: expect.stringMatching(/^txn_/),
    status: "pending_approval",
    agent: agent.handle,
    to: bob.handle,
    confidential: true,
    requested_at: expect.stringMatching(/Z$/),
    expires_at: expect.stringMatching(/Z$/),
    reference: null,
    refund_of: null,
    payment_request: null,
  });
  expect(response.text).not.toMatch(/(?<!:)10\.0|10000001|canary-memo/);
  // Nothing was spent: the agent can still pay all of it.
  for (let n = 0; n < 3; n++) expect((await pay(agent, { to: bob.handle, amount: "10" })).status).toBe(201);
  expect((await pay(agent, { to: bob.handle, amount: "0.000001" })).json.error?.code).toBe("insufficient_balance");
});

test("202: an Idempotency-Key holds once and returns the same again", async ({ alice, bob }) => {
  const agent = await newAgent(alice, "30");
  const body = { to: bob.handle, amount: "11" };
  const headers = { "idempotency-key": `held-${agent.keyId}` };
  const first = await agent.call("POST", "/v1/transfers", body, headers);
  const again = await agent.call("POST", "/v1/transfers", body, headers);
  expect([first.status, again.status]).toEqual([202, 202]);
  expect(again.json).toEqual(first.json);
  const { json } = await agent.call("GET", "/v1/agents/transactions/pending");
  expect(JSON.stringify(json).split(String(first.json.transaction_id)).length).toBe(2);
});

const DENIED: [reason: string, policy: object][] = [
  ["asset_not_allowed", { assets: ["ETH"] }],
  ["recipient_not_allowed", { allowed_recipients: ["@somebody-else"] }],
  ["outside_active_hours", { active_hours: CLOSED }],
  ["per_transaction_limit", { per_transaction_limit_usdg: 0.999999 }],
  ["daily_limit", { daily_limit_usdg: 0.999999 }],
];

test("403 policy_violation says which rule forbids a payment, never by how much, and nothing changes", async ({
  alice,
  bob,
}) => {
  const agent = await newAgent(alice, "5");
  const before = await stateOf(alice);
  for (const [reason, change] of DENIED) {
    const patched = await alice.call("PATCH", `/v1/agents/${agent.id}/spend-policy`, { ...OPEN_POLICY, ...change });
    expect(patched.status, patched.text).toBe(200);
    const refused = [
      await pay(agent, { to: bob.handle, amount: "1" }),
      await pay(alice, { from: agent.handle, to: bob.handle, amount: "1" }),
    ];
    for (const { status, json, text } of refused) {
      expect(status).toBe(403);
      expect(json.error).toMatchObject({ code: "policy_violation", reason });
      expect(text).not.toMatch(/0\.999999|999999/);
    }
  }
  expect(await stateOf(alice)).toEqual(before);
});

test("403 policy_violation while the agent is paused, and payments again when it is resumed", async ({
  alice,
  bob,
}) => {
  const agent = await newAgent(alice, "5");
  expect((await alice.call("POST", `/v1/agents/${agent.id}/pause`)).status).toBe(200);
  const refused = await pay(agent, { to: bob.handle, amount: "1" });
  expect(refused.json.error).toMatchObject({ code: "policy_violation", reason: "agent_paused" });
  expect((await alice.call("POST", `/v1/agents/${agent.id}/resume`)).status).toBe(200);
  expect((await pay(agent, { to: bob.handle, amount: "1" })).status).toBe(201);
});

test("403 daily_limit: many at once spend no more than the limit, and a tightened policy holds at once", async ({
  alice,
  bob,
}) => {
  await awayFromMidnight();
  const agent = await newAgent(alice, "40", { ...OPEN_POLICY, daily_limit_usdg: 10 });
  const responses = await Promise.all(Array.from({ length: 8 }, () => pay(agent, { to: bob.handle, amount: "3" })));
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 201, 403, 403, 403, 403, 403]);
  const patched = await alice.call("PATCH", `/v1/agents/${agent.id}/spend-policy`, { daily_limit_usdg: 9 });
  expect(patched.status).toBe(200);
  const refused = await pay(agent, { to: bob.handle, amount: "0.000001" });
  expect(refused.json.error).toMatchObject({ code: "policy_violation", reason: "daily_limit" });
});

test("402: the policy is asked before the funds, the funds before the threshold", async ({ alice, bob }) => {
  const agent = await newAgent(alice, "0");
  const code = async (amount: string) => (await pay(agent, { to: bob.handle, amount })).json.error?.code;
  expect(await code("51")).toBe("policy_violation");
  expect(await code("11")).toBe("insufficient_balance");
});

test("dry_run returns every rule and changes nothing, with an Idempotency-Key or without", async ({ alice, bob }) => {
  const agent = await newAgent(alice, "5");
  const dry = (by: { call: Party["call"] }, body: object, headers: Record<string, string> = {}) =>
    by.call("POST", "/v1/transfers?dry_run=true", { to: bob.handle, ...body }, headers);
  const before = await stateOf(alice);
  const RULES = [
    "agent_paused",
    "asset_not_allowed",
    "recipient_not_allowed",
    "outside_active_hours",
    "per_transaction_limit",
    "daily_limit",
    "approval_threshold",
  ];
  const all = (changed: Record<string, string>) => RULES.map((rule) => ({ rule, outcome: changed[rule] ?? "pass" }));
  const key = { "idempotency-key": `dry-${agent.keyId}` };
  const allowed = await dry(agent, { amount: "9.5" }, key);
  expect(allowed.status, allowed.text).toBe(200);
  expect(allowed.json).toEqual({ dry_run: true, confidential: true, outcome: "allowed", rules: all({}) });
  const held = await dry(agent, { amount: "10.5" }, key);
  expect(held.json).toEqual({
    dry_run: true,
    confidential: true,
    outcome: "held",
    rules: all({ approval_threshold: "hold" }),
  });
  const denied = await dry(alice, { amount: "100.5", from: agent.handle });
  expect(denied.json).toEqual({
    dry_run: true,
    confidential: true,
    outcome: "denied",
    reason: "per_transaction_limit",
    rules: all({ per_transaction_limit: "fail", daily_limit: "fail", approval_threshold: "hold" }),
  });
  expect(denied.text).not.toMatch(/100\.5|1005/);
  const free = await dry(alice, { amount: "1" });
  expect(free.json).toEqual({ dry_run: true, confidential: true, outcome: "allowed", rules: [] });
  expect((await dry(agent, { to: "@nobody-has-this", amount: "1" })).json.error?.code).toBe("recipient_not_found");
  const stranger = { to: "0x00000000000000000000000000000000000a11ce", amount: "1" };
  expect((await dry(agent, stranger)).json.error?.code).toBe("recipient_not_confidential_ready");
  expect((await dry(alice, { amount: "1", from: `${bob.handle}/x` })).json.error?.code).toBe("not_agent_owner");
  const asked = await agent.call("POST", "/v1/transfers?dry_run=perhaps", { to: bob.handle, amount: "1" });
  expect([asked.status, asked.json.error?.param]).toEqual([400, "dry_run"]);
  expect(await stateOf(alice)).toEqual(before);
  // The idempotency key was not used up, so a real payment can use it.
  const real = await agent.call("POST", "/v1/transfers", { to: bob.handle, amount: "1" }, key);
  expect(real.status, real.text).toBe(201);
});
