import { newAgent, OPEN_POLICY } from "./agent-fixtures";
import { expect, type Party, settled, test } from "./fixtures";

interface Entry {
  id: string;
  actor: { type: string; id: string | null; label?: string };
  action: string;
  target: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  client_address: string | null;
  created_at: string;
  hash: string;
  previous_hash: string;
}

interface Page {
  entries: Entry[];
  limit: number;
  offset: number;
  has_more: boolean;
}

async function log(party: Party, query = ""): Promise<Page> {
  const response = await party.call("GET", `/v1/audit-log${query}`);
  expect(response.status, response.text).toBe(200);
  return response.json as unknown as Page;
}

/** Returns the entries about one object, oldest first. */
const done = async (party: Party, target: string) => (await log(party, `?target=${target}`)).entries.reverse();

test("200: who did what to an agent, when, from where, with its policy before and after; each entry follows the last", async ({
  alice,
}) => {
  const agent = await newAgent(alice, "0");
  const policyPath = `/v1/agents/${agent.id}/spend-policy`;
  for (const change of [{ daily_limit_usdg: 12.5, allowed_recipients: ["*.shop.test"] }, {}]) {
    expect((await alice.call("PATCH", policyPath, change)).status).toBe(200);
  }
  for (const _ of ["pause", "pause again"]) {
    expect((await alice.session.send("POST", `/api/agents/${agent.id}/pause`, {})).status()).toBe(200);
  }
  await alice.client.agents.resume(agent.handle);
  const entries = await done(alice, agent.id);
  const byKey = { type: "key", id: alice.keyId, label: "e2e" };
  expect(entries.filter(({ action }) => action !== "agent.policy.updated").map(({ action }) => action)).toEqual([
    "agent.created",
    "agent.paused",
    "agent.resumed",
  ]);
  expect(entries[0]).toMatchObject({
    id: expect.stringMatching(/^aud_[0-9A-Z]{26}$/),
    actor: byKey,
    before: null,
    after: { handle: agent.handle, ...OPEN_POLICY },
    client_address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  // An empty change adds no entry, and pausing twice adds one.
  const changes = entries.filter(({ action }) => action === "agent.policy.updated");
  expect(changes).toHaveLength(1);
  expect(changes[0]).toMatchObject({
    actor: byKey,
    before: { daily_limit_usdg: 100, allowed_recipients: ["*"] },
    after: { daily_limit_usdg: 12.5, allowed_recipients: ["*.shop.test"] },
  });
  // The signed policy stands next to the changed fields.
  expect(Object.keys(changes[0]?.after ?? {}).sort()).toEqual(["allowed_recipients", "daily_limit_usdg", "set_policy"]);
  const paused = entries.find(({ action }) => action === "agent.paused");
  expect(paused?.actor).toEqual({ type: "session", id: expect.stringMatching(/^[0-9a-f]{64}$/) });

  const { entries: all } = await log(alice, "?limit=100");
  for (const [index, entry] of all.entries()) {
    expect(entry.hash).toMatch(/^0x[0-9a-f]{64}$/);
    const before = all[index + 1];
    if (before) expect(entry.previous_hash).toBe(before.hash);
  }
});

test("200: enrollment, keys and held payments are there with who asked; no amount is", async ({ alice, bob }) => {
  const agent = await newAgent(alice, "77.771337");
  const held = await agent.call("POST", "/v1/transfers", { to: bob.handle, amount: "13.131337", memo: "canary-memo" });
  expect(held.status, held.text).toBe(202);
  const id = String(held.json.transaction_id);
  const approved = await alice.call("POST", `/v1/agents/transactions/${id}/approve`, {});
  expect(approved.status, approved.text).toBe(200);
  expect(await settled(alice, String(approved.json.transfer_id))).toMatchObject({ status: "confirmed" });
  const dropped = await agent.call("POST", "/v1/transfers", { to: bob.handle, amount: "17.171337" });
  const droppedId = String(dropped.json.transaction_id);
  expect((await alice.call("POST", `/v1/agents/transactions/${droppedId}/reject`, {})).status).toBe(200);
  await alice.client.keys.revoke(agent.keyId);

  const summary = (entries: Entry[]) => entries.map(({ action, actor }) => [action, actor.type, actor.label]);
  expect(summary(await done(alice, id))).toEqual([
    ["agent.transaction.held", "agent", agent.handle],
    ["agent.transaction.approved", "key", "e2e"],
  ]);
  expect(summary(await done(alice, droppedId))).toEqual([
    ["agent.transaction.held", "agent", agent.handle],
    ["agent.transaction.rejected", "key", "e2e"],
  ]);
  const key = await done(alice, agent.keyId);
  expect(summary(key)).toEqual([
    ["key.created", "session", undefined],
    ["key.revoked", "session", undefined],
  ]);
  expect(key[0]?.after).toMatchObject({ label: "agent", agent: agent.handle, expires_at: null });
  expect((await done(alice, alice.accountId)).map(({ action }) => action)).toEqual(["account.enrolled"]);
  const whole = JSON.stringify(await log(alice, "?limit=100"));
  // The seconds of a time, which may be the same digits, follow a colon.
  for (const canary of [/(?<!:)77\.77|77771337/, /(?<!:)13\.13|13131337/, /(?<!:)17\.17|17171337/, /canary-memo/]) {
    expect(whole).not.toMatch(canary);
  }
});
