import { randomUUID } from "node:crypto";
import { ok } from "../halcyon";
import { agentName, createAgent, newAgent, OPEN_POLICY } from "./agent-fixtures";
import { expect, type Party, settled, test } from "./fixtures";

const agentsOf = async (party: Party) =>
  (await party.call("GET", "/v1/accounts/me/agents")).json.agents as { account_id: string }[];

test("201: an agent is registered under its owner's handle and is spendable once funded", async ({ alice, bob }) => {
  const before = await agentsOf(alice);
  const name = agentName();
  const response = await alice.call("POST", "/v1/accounts/me/agents", { name, spend_policy: OPEN_POLICY });
  expect(response.status).toBe(201);
  expect(response.json).toEqual({
    account_id: expect.stringMatching(/^acct_[0-9A-Z]{26}$/),
    handle: `${alice.handle}/${name}`,
    public_key: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
    status: "active",
    spend_policy_id: expect.stringMatching(/^pol_[0-9A-Z]{26}$/),
  });
  expect(await agentsOf(alice)).toEqual([...before, response.json]);
  expect(await agentsOf(bob)).not.toContainEqual(response.json);
  const { agents } = await (await alice.session.get("/api/agents")).json();
  expect(agents).toEqual(await agentsOf(alice));

  const funded = await alice.call("POST", "/v1/transfers", { to: response.json.handle, amount: "5" });
  expect(funded.status).toBe(201);
  const paid = await alice.call("POST", "/v1/transfers", { from: response.json.handle, to: bob.handle, amount: "2" });
  expect(paid.status, paid.text).toBe(201);
  expect(await settled(alice, String(paid.json.transfer_id))).toMatchObject({
    status: "confirmed",
    from: response.json.handle,
  });
});

test("an Idempotency-Key registers one agent, however often it is sent", async ({ alice }) => {
  const headers = { "idempotency-key": randomUUID() };
  const body = { name: agentName(), spend_policy: OPEN_POLICY };
  const before = (await agentsOf(alice)).length;
  const first = await alice.call("POST", "/v1/accounts/me/agents", body, headers);
  const again = await alice.call("POST", "/v1/accounts/me/agents", body, headers);
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.text).toBe(first.text);
  expect(again.headers["idempotent-replayed"]).toBe("true");
  expect(await agentsOf(alice)).toHaveLength(before + 1);
});

test("two registrations of one name at once: one agent, the other is handle_taken", async ({ alice }) => {
  const body = { name: agentName() };
  const responses = await Promise.all([0, 1].map(() => alice.call("POST", "/v1/accounts/me/agents", body)));
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
  const refused = responses.find(({ status }) => status === 409);
  expect(refused?.json.error).toMatchObject({ code: "handle_taken", param: "name" });
  const named = (await agentsOf(alice)).filter((agent) => JSON.stringify(agent).includes(body.name));
  expect(named).toHaveLength(1);
});

test("a name is free again for another owner", async ({ alice, bob }) => {
  const name = agentName();
  for (const party of [alice, bob]) {
    const response = await party.call("POST", "/v1/accounts/me/agents", { name });
    expect(response.status).toBe(201);
    expect(response.json.handle).toBe(`${party.handle}/${name}`);
  }
});

test("the owner's client registers an agent whose wallet it made", async ({ alice, bob }) => {
  const name = agentName("made");
  const { apiKey: _, ...wallet } = alice.caller;
  const created = await ok(wallet, "agents", "create", name, "--daily-limit", "10", "--per-transaction-limit", "10");
  expect(await agentsOf(alice)).toContainEqual(created);
  const patch = { allowed_recipients: [bob.handle], hitl_threshold_usdg: 10 };
  expect(await alice.client.policies.update(String(created.handle), patch)).toMatchObject({
    ...patch,
    daily_limit_usdg: 10,
  });
  const tighter = { daily_limit_usdg: 9 };
  expect(await alice.client.policies.update(String(created.handle), tighter)).toMatchObject(tighter);
  await alice.call("POST", "/v1/transfers", { to: created.handle, amount: "3" });
  const paid = await alice.call("POST", "/v1/transfers", { from: created.handle, to: bob.handle, amount: "1" });
  expect(paid.status, paid.text).toBe(201);
  expect(await settled(alice, String(paid.json.transfer_id))).toMatchObject({ status: "confirmed" });
});

test("pausing stops payments at once and resuming lets them continue; both are repeatable and audited once", async ({
  alice,
  bob,
}) => {
  const agent = await newAgent(alice, "5");
  const pay = () => agent.call("POST", "/v1/transfers", { to: bob.handle, amount: "1" });
  expect((await pay()).status).toBe(201);
  const paused = await alice.call("POST", `/v1/agents/${agent.id}/pause`);
  expect(paused.status).toBe(200);
  expect(paused.json).toMatchObject({ account_id: agent.id, status: "paused", spend_policy_id: agent.policyId });
  expect((await alice.call("POST", `/v1/agents/${agent.id}/pause`)).json).toEqual(paused.json);
  const refused = await pay();
  expect(refused.status).toBe(403);
  expect(refused.json.error).toMatchObject({ code: "policy_violation", reason: "agent_paused" });
  const unsigned = await alice.session.send("POST", `/api/agents/${agent.id}/resume`);
  expect((await unsigned.json()).error).toMatchObject({ code: "invalid_request", param: "signed" });
  const resumed = await alice.client.agents.resume(agent.handle);
  expect(resumed).toEqual({ ...paused.json, status: "active" });
  expect((await alice.call("POST", `/v1/agents/${agent.id}/resume`)).json).toEqual(resumed);
  expect((await pay()).status).toBe(201);
  const log = await alice.call("GET", `/v1/audit-log?target=${agent.id}`);
  const actions = (log.json.entries as { action: string; actor: { type: string } }[]).map(({ action, actor }) => [
    action,
    actor.type,
  ]);
  expect(actions).toEqual([
    ["agent.resumed", "session"],
    ["agent.paused", "key"],
    ["agent.created", "key"],
  ]);
});

test("pauses and resumes at the same time leave one state, and the log has each change", async ({ alice }) => {
  const { json } = await createAgent(alice);
  const verbs = ["pause", "resume", "pause", "resume", "pause", "resume", "pause", "resume"];
  const responses = await Promise.all(verbs.map((verb) => alice.call("POST", `/v1/agents/${json.account_id}/${verb}`)));
  expect(responses.map(({ status }) => status)).toEqual(verbs.map(() => 200));
  const log = await alice.call("GET", `/v1/audit-log?target=${json.account_id}`);
  const actions = (log.json.entries as { action: string }[]).map(({ action }) => action).reverse();
  actions.slice(1).forEach((action, index) => {
    expect(action).toBe(index % 2 === 0 ? "agent.paused" : "agent.resumed");
  });
  const agent = (await agentsOf(alice)).find(({ account_id }) => account_id === json.account_id);
  expect(agent).toMatchObject({ status: actions.at(-1) === "agent.paused" ? "paused" : "active" });
});
