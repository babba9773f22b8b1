import { randomUUID } from "node:crypto";
import { awayFromMidnight } from "@/test/accounts/away-from-midnight";
import { type AgentParty, holdPayment, newAgent, OPEN_POLICY } from "./agent-fixtures";
import { expect, type Party, settled, test } from "./fixtures";

const AMOUNT = "12.345678";
const MEMO = "canary-memo-held";

const approve = (party: Party, id: string, headers = {}) =>
  party.call("POST", `/v1/agents/transactions/${id}/approve`, undefined, headers);
const reject = (party: Party, id: string, headers = {}) =>
  party.call("POST", `/v1/agents/transactions/${id}/reject`, undefined, headers);
const pendingOf = async ({ call }: Pick<Party, "call">) =>
  (await call("GET", "/v1/agents/transactions/pending")).json.pending as { transaction_id: string }[];
const transfersOf = async (agent: AgentParty) =>
  (await agent.call("GET", "/v1/transfers?limit=100")).json.transfers as { transfer_id: string; direction: string }[];
const paidBy = async (agent: AgentParty) =>
  (await transfersOf(agent)).filter(({ direction }) => direction === "sent").length;

/** Returns the types of the events of one held payment. */
async function eventsOf(party: Party, id: string): Promise<string[]> {
  const { json } = await party.call("GET", "/v1/events?limit=100");
  const events = json.events as object[];
  return events
    .map((event) => JSON.stringify(event))
    .filter((text) => text.includes(id))
    .map((text) => /agent\.transaction\.[a-z_]+/.exec(text)?.[0] ?? "none")
    .sort();
}

/** Expects that it still waits and that nothing was paid for it. */
async function expectHeld(alice: Party, agent: AgentParty, id: string, paid = 0): Promise<void> {
  const { json } = await alice.call("GET", `/v1/agents/transactions/${id}`);
  expect(json).toMatchObject({ status: "pending_approval", decided_at: null });
  expect((await pendingOf(alice)).map(({ transaction_id }) => transaction_id)).toContain(id);
  expect(await paidBy(agent)).toBe(paid);
}

test("202: what is over the threshold waits; owner and agent see it, without its amount and memo", async ({
  alice,
  bob,
}) => {
  const agent = await newAgent(alice, "40");
  const response = await agent.call("POST", "/v1/transfers", { to: bob.handle, amount: AMOUNT, memo: MEMO });
  expect(response.status).toBe(202);
  expect(response.json).toEqual({
    transaction_id: expect.stringMatching(/^txn_[0-9A-Z]{26}$/),
    status: "pending_approval",
    agent: agent.handle,
    to: bob.handle,
    confidential: true,
    requested_at: expect.any(String),
    expires_at: expect.any(String),
    reference: null,
    refund_of: null,
    payment_request: null,
  });
  const { transaction_id: id, requested_at, expires_at } = response.json;
  expect(Date.parse(String(expires_at)) - Date.parse(String(requested_at))).toBe(86_400_000);
  expect(await pendingOf(alice)).toContainEqual(response.json);
  expect(await pendingOf(agent)).toEqual([response.json]);
  for (const { call } of [alice, agent]) {
    const { json } = await call("GET", `/v1/agents/transactions/${id}`);
    expect(json).toEqual({ ...response.json, decided_at: null });
  }
  const list = await alice.session.get("/api/agents/transactions/pending");
  const sealed = (await list.json()).pending.find((entry: { transaction_id: string }) => entry.transaction_id === id);
  expect(sealed).toEqual({
    ...response.json,
    asset: "USDG",
    confidential: true,
    recipient: bob.address.toLowerCase(),
    sealed: expect.stringMatching(/^0x[0-9a-f]+$/),
    secret_version: 1,
  });
  const one = await (await alice.session.get(`/api/agents/transactions/${id}`)).json();
  expect(one).toEqual({ ...sealed, decided_at: null, decided_by: null });
  expect(JSON.stringify([response.text, sealed, one])).not.toMatch(/12[.,]?345678|canary-memo/);
  expect(await paidBy(agent)).toBe(0);
  expect(await eventsOf(alice, String(id))).toEqual(["agent.transaction.pending_approval"]);
});

test("a held payment takes as many bytes whatever it says", async ({ alice, bob }) => {
  const agent = await newAgent(alice, "40");
  for (const payment of [{ amount: "11" }, { amount: "39.999999", memo: "m".repeat(512) }]) {
    await holdPayment(agent, { to: bob.handle, ...payment });
  }
  const { pending } = await (await alice.session.get("/api/agents/transactions/pending")).json();
  const mine = pending.filter((entry: { agent: string }) => entry.agent === agent.handle);
  expect(new Set(mine.map(({ sealed }: { sealed: string }) => sealed.length)).size).toBe(1);
});

test("approving pays what the agent asked for, once, with one event; then nothing is left to decide", async ({
  alice,
  bob,
}) => {
  const agent = await newAgent(alice, "40");
  const id = await holdPayment(agent, { to: bob.handle, amount: AMOUNT, memo: MEMO });
  const approved = await approve(alice, id);
  expect(approved.status, approved.text).toBe(200);
  expect(approved.json).toEqual({
    transaction_id: id,
    status: "approved",
    agent: agent.handle,
    to: bob.handle,
    confidential: true,
    transfer_id: expect.stringMatching(/^tr_/),
    tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    decided_at: expect.any(String),
  });
  expect(approved.text).not.toMatch(/12[.,]?345678|canary-memo/);
  const transferId = String(approved.json.transfer_id);
  expect(await settled(alice, transferId)).toMatchObject({ status: "confirmed", from: agent.handle, to: bob.handle });
  for (const again of [await approve(alice, id), await reject(alice, id)]) {
    expect(again.status).toBe(404);
    expect(again.json.error?.code).toBe("transaction_not_found");
  }
  expect(await paidBy(agent)).toBe(1);
  expect(await pendingOf(agent)).toEqual([]);
  const { json } = await agent.call("GET", `/v1/agents/transactions/${id}`);
  const { decided_at, transfer_id, tx_hash } = approved.json;
  expect(json).toMatchObject({ status: "approved", decided_at, transfer_id, tx_hash });
  expect(await eventsOf(alice, id)).toEqual(["agent.transaction.approved", "agent.transaction.pending_approval"]);
  const log = await alice.call("GET", `/v1/audit-log?target=${id}`);
  expect(log.json.entries).toEqual([
    expect.objectContaining({
      action: "agent.transaction.approved",
      actor: expect.objectContaining({ type: "key", id: alice.keyId }),
      after: { transfer_id: transferId },
    }),
    expect.objectContaining({
      action: "agent.transaction.held",
      actor: expect.objectContaining({ type: "agent", id: agent.keyId }),
    }),
  ]);
  const received = (await bob.call("GET", "/v1/transfers?limit=100")).json.transfers as { transfer_id: string }[];
  expect(received.filter(({ transfer_id: received }) => received === transferId)).toHaveLength(1);
});

test("an approved payment counts towards the daily limit", async ({ alice, bob }) => {
  await awayFromMidnight();
  const agent = await newAgent(alice, "60", { ...OPEN_POLICY, daily_limit_usdg: 30 });
  const id = await holdPayment(agent, { to: bob.handle, amount: "25" });
  expect((await agent.call("POST", "/v1/transfers", { to: bob.handle, amount: "5" })).status).toBe(201);
  expect((await approve(alice, id)).status).toBe(200);
  const over = await agent.call("POST", "/v1/transfers", { to: bob.handle, amount: "0.000001" });
  expect(over.json.error).toMatchObject({ code: "policy_violation", reason: "daily_limit" });
});

test("an Idempotency-Key repeats a decision's response and pays once", async ({ alice, bob }) => {
  const agent = await newAgent(alice, "40");
  for (const verb of [approve, reject]) {
    const id = await holdPayment(agent, { to: bob.handle, amount: "11" });
    const headers = { "idempotency-key": randomUUID() };
    const first = await verb(alice, id, headers);
    const again = await verb(alice, id, headers);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.text).toBe(first.text);
  }
  expect(await paidBy(agent)).toBe(1);
});

test("money for the owner needs approval like any other, and arrives as a payment", async ({ alice }) => {
  const agent = await newAgent(alice, "40");
  const id = await holdPayment(agent, { to: alice.handle, amount: "11" });
  const { json } = await approve(alice, id);
  expect(json.status).toBe("approved");
  expect(await settled(alice, String(json.transfer_id))).toMatchObject({ status: "confirmed", to: alice.handle });
});

test("a public payment is approved as one", async ({ alice }) => {
  const agent = await newAgent(alice, "40");
  const to = "0x00000000000000000000000000000000000a11ce";
  const response = await agent.call("POST", "/v1/transfers", { to, amount: "11", confidential: false, memo: "public" });
  expect(response.status, response.text).toBe(202);
  const { json } = await approve(alice, String(response.json.transaction_id));
  expect(await settled(alice, String(json.transfer_id))).toMatchObject({
    status: "confirmed",
    confidential: false,
    to,
  });
});

const TIGHTENED: [patch: object, reason: string][] = [
  [{ allowed_recipients: ["@somebody-else"] }, "recipient_not_allowed"],
  [{ assets: ["ETH"] }, "asset_not_allowed"],
  [{ per_transaction_limit_usdg: 10 }, "per_transaction_limit"],
  [{ daily_limit_usdg: 10 }, "daily_limit"],
];

test("a policy that refuses it now returns its reason and leaves it held; a higher threshold does not pay it", async ({
  alice,
  bob,
}) => {
  const agent = await newAgent(alice, "40");
  const id = await holdPayment(agent, { to: bob.handle, amount: AMOUNT });
  const path = `/v1/agents/${agent.id}/spend-policy`;
  for (const [patch, reason] of TIGHTENED) {
    await alice.call("PATCH", path, patch);
    const refused = await approve(alice, id);
    expect(refused.status).toBe(403);
    expect(refused.json.error).toMatchObject({ code: "policy_violation", reason });
    await expectHeld(alice, agent, id);
    await alice.call("PATCH", path, OPEN_POLICY);
  }
  await alice.call("POST", `/v1/agents/${agent.id}/pause`);
  expect((await approve(alice, id)).json.error).toMatchObject({ code: "policy_violation", reason: "agent_paused" });
  await expectHeld(alice, agent, id);
  await alice.call("POST", `/v1/agents/${agent.id}/resume`);
  await alice.call("PATCH", path, { hitl_threshold_usdg: 50 });
  await expectHeld(alice, agent, id);
  expect((await approve(alice, id)).status).toBe(200);
});

test("without the money it is insufficient_balance and stays held, until there is", async ({ alice, bob }) => {
  const agent = await newAgent(alice, "15");
  const id = await holdPayment(agent, { to: bob.handle, amount: AMOUNT });
  await agent.call("POST", "/v1/transfers", { to: bob.handle, amount: "10" });
  const refused = await approve(alice, id);
  expect(refused.status).toBe(402);
  expect(refused.json.error?.code).toBe("insufficient_balance");
  await expectHeld(alice, agent, id, 1);
  await alice.call("POST", "/v1/transfers", { to: agent.handle, amount: "10" });
  expect((await approve(alice, id)).status).toBe(200);
});
