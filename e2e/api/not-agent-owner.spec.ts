import { agentName, agentStateOf, holdPayment, newAgent, UNSIGNED_POLICY } from "./agent-fixtures";
import { expect, type Party, test } from "./fixtures";

type Call = [
  method: "GET" | "POST" | "PATCH",
  path: (agentId: string, heldId: string) => string,
  body?: object,
  /** The signed part that the owner's client adds. */
  signed?: object,
];

const PAYMENTS = [{ to: "0x00000000000000000000000000000000000a11ce", amount: "1" }];
/** Every operation on one agent. */
const ON_AN_AGENT: Call[] = [
  ["GET", (id) => `/agents/${id}/spend-policy`],
  ["PATCH", (id) => `/agents/${id}/spend-policy`, { daily_limit_usdg: 1_000_000 }, { signed: UNSIGNED_POLICY }],
  ["POST", (id) => `/agents/${id}/spend-policy/simulate`, { payments: PAYMENTS }],
  ["POST", (id) => `/agents/${id}/pause`],
  ["POST", (id) => `/agents/${id}/resume`, undefined, { signed: UNSIGNED_POLICY }],
];
/** Operations that need an owner's key. An agent's key may read its own policy and test it. */
const FOR_OWNERS: Call[] = [
  ["GET", () => "/accounts/me/agents"],
  ["POST", () => "/accounts/me/agents", { name: agentName() }],
  ["PATCH", (id) => `/agents/${id}/spend-policy`, { daily_limit_usdg: 1_000_000 }],
  ["POST", (id) => `/agents/${id}/pause`],
  ["POST", (id) => `/agents/${id}/resume`],
  ["POST", (_, held) => `/agents/transactions/${held}/approve`],
  ["POST", (_, held) => `/agents/transactions/${held}/reject`],
];

const refusal = { code: "not_agent_owner" };

/** An agent of alice with a waiting payment, created once per worker. */
let standing: Promise<{ id: string; held: string; key: Party["call"] }> | undefined;
async function makeStanding(alice: Party, bob: Party) {
  const agent = await newAgent(alice, "20");
  return { id: agent.id, held: await holdPayment(agent, { to: bob.handle, amount: "11" }), key: agent.call };
}

for (const [method, path, body, signed] of ON_AN_AGENT) {
  test(`403 not_agent_owner, and nothing changes: ${method} /v1${path("{foreign}", "")}`, async ({ alice, bob }) => {
    standing ??= makeStanding(alice, bob);
    const { id, held } = await standing;
    const before = await agentStateOf(alice, id);
    const byKey = await bob.call(method, `/v1${path(id, held)}`, body);
    expect(byKey.json.error, byKey.text).toMatchObject(refusal);
    expect(byKey.status).toBe(403);
    const target = `/api${path(id, held)}`;
    const sent = signed ? { ...body, ...signed } : body;
    const bySession = method === "GET" ? await bob.session.get(target) : await bob.session.send(method, target, sent);
    expect(bySession.status()).toBe(403);
    expect((await bySession.json()).error).toMatchObject(refusal);
    expect(await agentStateOf(alice, id)).toEqual(before);
  });

  test(`404 not_found for an agent no one has: ${method} /v1${path("{unknown}", "")}`, async ({ alice }) => {
    for (const unknown of ["acct_00000000000000000000000000", "nonsense", alice.accountId]) {
      const response = await alice.call(method, `/v1${path(unknown, "")}`, body);
      expect(response.json.error, response.text).toMatchObject({ code: "not_found" });
      expect(response.status).toBe(404);
    }
  });
}

for (const [method, path, body] of FOR_OWNERS) {
  test(`403 not_agent_owner, and nothing changes: an agent's own key on ${method} /v1${path("{itself}", "{held}")}`, async ({
    alice,
    bob,
  }) => {
    standing ??= makeStanding(alice, bob);
    const { id, held, key } = await standing;
    const before = await agentStateOf(alice, id);
    const response = await key(method, `/v1${path(id, held)}`, body);
    expect(response.json.error, response.text).toMatchObject(refusal);
    expect(response.status).toBe(403);
    expect(await agentStateOf(alice, id)).toEqual(before);
  });
}

test("an agent's key meets a sibling and a stranger's agent as a stranger does", async ({ alice, bob }) => {
  standing ??= makeStanding(alice, bob);
  const { key } = await standing;
  const [sibling, strangers] = [await newAgent(alice, "0"), await newAgent(bob, "0")];
  for (const { id } of [sibling, strangers]) {
    for (const [method, path, body] of ON_AN_AGENT) {
      const response = await key(method, `/v1${path(id, "")}`, body);
      expect(response.json.error, `${method} ${path(id, "")}`).toMatchObject(refusal);
    }
  }
});

test("an agent's key reads its own policy and tries it", async ({ alice, bob }) => {
  standing ??= makeStanding(alice, bob);
  const { id, key } = await standing;
  expect((await key("GET", `/v1/agents/${id}/spend-policy`)).status).toBe(200);
  const tried = await key("POST", `/v1/agents/${id}/spend-policy/simulate`, { payments: PAYMENTS });
  expect(tried.status, tried.text).toBe(200);
});
