import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { insertAgent } from "@/test/accounts/agent-row";
import { keyCaller, type RouteCall, type RouteResponse, sessionCaller } from "@/test/accounts/api-caller";
import { Owner } from "@/test/accounts/owner";
import { UNSIGNED_POLICY } from "@/test/accounts/unsigned-policy";
import { holdPayments } from "@/test/accounts/waiting-payments";
import { everythingStored } from "@/test/services/everything-stored";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";

const CHAIN = 46630;
const PAYMENTS = [{ to: "0x00000000000000000000000000000000000a11ce", amount: "1" }];
const hexOf = (bytes: number) => `0x${"ab".repeat(bytes)}`;
const inSeconds = (seconds: number) => String(Math.floor(Date.now() / 1000) + seconds);

let services: SharedServices;
let owner: Owner;
let stranger: Owner;
let agent: Awaited<ReturnType<typeof insertAgent>>;
let byOwner: RouteCall;
let byStranger: RouteCall;
let byAgent: RouteCall;
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  [owner, stranger] = await Promise.all([Owner.create(CHAIN), Owner.create(CHAIN)]);
  agent = await insertAgent(owner, "bot");
  const callers = [owner.session, stranger.session, { ...owner.session, account: agent }].map((one) => keyCaller(one));
  [byOwner, byStranger, byAgent] = (await Promise.all(callers)).map(({ call }) => call) as [
    RouteCall,
    RouteCall,
    RouteCall,
  ];
});

/** Makes a request, and expects that it is refused so and leaves nothing. */
async function refused(request: () => Promise<RouteResponse>, error: object, what?: string): Promise<void> {
  const before = await everythingStored();
  const response = await request();
  expect([response.status, response.json.error], what ?? response.text).toMatchObject(error);
  expect(await everythingStored()).toEqual(before);
}

type Call = [method: string, path: string, body?: object, signed?: object];

/** Every operation on one agent, with what a signed-in owner's client adds. */
const ON_AN_AGENT: Call[] = [
  ["GET", "/agents/{agent}/spend-policy"],
  ["PATCH", "/agents/{agent}/spend-policy", { daily_limit_usdg: 1_000_000 }, { signed: UNSIGNED_POLICY }],
  ["POST", "/agents/{agent}/spend-policy/simulate", { payments: PAYMENTS }],
  ["POST", "/agents/{agent}/pause"],
  ["POST", "/agents/{agent}/resume", undefined, { signed: UNSIGNED_POLICY }],
];
/** Operations that need an owner's key. An agent's key may read its own policy and test it. */
const FOR_OWNERS: Call[] = [
  ["GET", "/accounts/me/agents"],
  ["POST", "/accounts/me/agents", { name: "another" }],
  ["PATCH", "/agents/{agent}/spend-policy", { daily_limit_usdg: 1_000_000 }],
  ["POST", "/agents/{agent}/pause"],
  ["POST", "/agents/{agent}/resume"],
  ["POST", "/agents/transactions/{held}/approve"],
  ["POST", "/agents/transactions/{held}/reject"],
];
const NOT_OWNER = [403, { code: "not_agent_owner" }];

describe.each(ON_AN_AGENT)("%s %s", (method, path, body, signed) => {
  const of = (id: string) => path.replace("{agent}", id);

  test("is not_agent_owner to a stranger's key and session, to a sibling's key and to a stranger's agent, and nothing changes", async () => {
    const bySession = await sessionCaller(stranger);
    const sent = method === "GET" ? undefined : { ...body, ...signed };
    await refused(() => byStranger(method, `/v1${of(agent.id)}`, body), NOT_OWNER, "stranger");
    await refused(() => bySession(method, `/v1${of(agent.id)}`, sent), NOT_OWNER, "session");
    for (const [whose, what] of [
      [owner, "sibling"],
      [stranger, "stranger's agent"],
    ] as const) {
      const other = await keyCaller({ ...whose.session, account: await insertAgent(whose) });
      await refused(() => other.call(method, `/v1${of(agent.id)}`, body), NOT_OWNER, what);
    }
  });

  test("is not_found for an agent no one has, for the account itself, and on the other network", async () => {
    const notFound = [404, { code: "not_found" }];
    for (const id of ["acct_00000000000000000000000000", "nonsense", owner.account.id]) {
      await refused(() => byOwner(method, `/v1${of(id)}`, body), notFound, id);
    }
    const live = await keyCaller({ ...owner.session, network: "live", chainId: 4663 });
    await refused(() => live.call(method, `/v1${of(agent.id)}`, body), notFound, "live");
  });
});

test("an agent's own key manages no agents and decides nothing, and nothing changes", async () => {
  const [held = ""] = await holdPayments(owner, [3_600_000], agent);
  for (const [method, path, body] of FOR_OWNERS) {
    const target = `/v1${path.replace("{agent}", agent.id).replace("{held}", held)}`;
    await refused(() => byAgent(method, target, body), NOT_OWNER, `${method} ${target}`);
  }
});

test("an agent's key reads its own account, policy and waiting payments and tries its policy; not webhooks, events or the log", async () => {
  const [held = ""] = await holdPayments(owner, [3_600_000], agent);
  const me = await byAgent("GET", "/v1/accounts/me");
  expect(me.json).toMatchObject({ account_id: agent.id, handle: `@${agent.handle}`, type: "agent" });
  await refused(() => byAgent("GET", "/v1/accounts/me?include=ledger"), NOT_OWNER, "ledger");
  const policy = await byAgent("GET", `/v1/agents/${agent.id}/spend-policy`);
  expect([policy.status, policy.json.policy_id]).toEqual([200, agent.policyId]);
  await refused(() => byAgent("GET", `/v1/agents/${agent.id}/spend-policy?include=ledger`), NOT_OWNER, "ledger");
  const tried = await byAgent("POST", `/v1/agents/${agent.id}/spend-policy/simulate`, { payments: PAYMENTS });
  expect(tried.status).toBe(200);
  const pending = await byAgent("GET", "/v1/agents/transactions/pending");
  const one = await byAgent("GET", `/v1/agents/transactions/${held}`);
  expect(pending.json.pending).toMatchObject([{ transaction_id: held }]);
  expect(one.json).toMatchObject({ transaction_id: held, status: "pending_approval", decided_at: null });
  for (const target of ["/v1/webhooks", "/v1/events", "/v1/audit-log"]) {
    await refused(() => byAgent("GET", target), [403, { code: "key_forbidden" }], target);
  }
});

test("agents are listed in the order of their creation, to their owner and on their network alone", async () => {
  const more = [await insertAgent(owner), await insertAgent(owner)];
  await insertAgent(stranger);
  const { json } = await byOwner("GET", "/v1/accounts/me/agents");
  expect(json.agents).toMatchObject(
    [agent, ...more].map(({ id, handle }) => ({ account_id: id, handle: `@${handle}` })),
  );
  const bySession = await sessionCaller(owner);
  expect((await bySession("GET", "/v1/accounts/me/agents")).json).toEqual(json);
  const live = await keyCaller({ ...owner.session, network: "live", chainId: 4663 });
  expect((await live.call("GET", "/v1/accounts/me/agents")).json).toEqual({ agents: [], has_more: false });
});

describe("a policy that is wrong", () => {
  const BAD: [param: string, policy: string][] = [
    ["daily_limit_usdg", '{"hitl_threshold_usdg": 7, "daily_limit_usdg": 0.0000001}'],
    ["hitl_threshold_usdg", '{"daily_limit_usdg": 7, "hitl_threshold_usdg": "100"}'],
    ["active_hours", '{"daily_limit_usdg": 7, "active_hours": "25:00-26:00"}'],
    ["allowed_recipients.1", '{"daily_limit_usdg": 7, "allowed_recipients": ["@bob", "*.com"]}'],
    ["limits.ETH.daily", '{"limits": {"ETH": {"daily": 1, "per_transaction": "1", "hitl_threshold": "1"}}}'],
    ["colour", '{"daily_limit_usdg": 7, "colour": "red"}'],
  ];

  test("is refused by the name of its field, in a change, a registration and a simulation, and nothing is stored", async () => {
    const path = `/v1/agents/${agent.id}/spend-policy`;
    for (const [param, policy] of BAD) {
      await refused(() => byOwner("PATCH", path, policy), [400, { code: "invalid_policy", param }]);
      const within = [400, { code: "invalid_policy", param: `spend_policy.${param}` }];
      const registration = `{"name": "other", "spend_policy": ${policy}}`;
      await refused(() => byOwner("POST", "/v1/accounts/me/agents", registration), within);
      const draft = `{"spend_policy": ${policy}, "payments": ${JSON.stringify(PAYMENTS)}}`;
      await refused(() => byOwner("POST", `${path}/simulate`, draft), within);
    }
    for (const body of ["[]", '"x"', "null", "7"]) {
      await refused(() => byOwner("PATCH", path, body), [400, { code: "invalid_policy", param: "body" }]);
    }
  });

  test("is as wrong as an agent's name that can't be one", async () => {
    for (const name of ["", "Bot", "a/b", null, undefined]) {
      const error = [400, { code: "invalid_policy", param: "name" }];
      await refused(() => byOwner("POST", "/v1/accounts/me/agents", { name }), error);
    }
  });
});

test("simulate says which payment, or which field of the draft, is wrong", async () => {
  const path = `/v1/agents/${agent.id}/spend-policy/simulate`;
  const payment = { to: `@${stranger.account.handle}`, amount: "1" };
  const wrong: [body: object, code: string, param: string][] = [
    [{ spend_policy: { active_hours: "9" }, payments: [payment] }, "invalid_policy", "spend_policy.active_hours"],
    [{ payments: [] }, "invalid_request", "payments"],
    [{ payments: Array.from({ length: 101 }, () => payment) }, "invalid_request", "payments"],
    [{ payments: [payment, { ...payment, amount: "0" }] }, "invalid_request", "payments.1.amount"],
    [{ payments: [payment, { ...payment, to: "@nobody-has-this" }] }, "recipient_not_found", "payments.1.to"],
  ];
  for (const [body, code, param] of wrong) {
    await refused(() => byOwner("POST", path, body), [code === "recipient_not_found" ? 404 : 400, { code, param }]);
  }
});

test("simulate tries the policy, or a draft of it, on payments rule by rule, for key and session, and nothing changes", async () => {
  const limits = { perTransactionLimit: 50_000_000n, dailyLimit: 100_000_000n, hitlThreshold: 10_000_000n };
  const { id } = await insertAgent(owner, undefined, limits);
  const bySession = await sessionCaller(owner);
  const path = `/agents/${id}/spend-policy/simulate`;
  const [to, noon] = [`@${stranger.account.handle}`, "2026-11-21T12:00:00Z"];
  const payments = [
    { to, amount: "5", at: noon },
    { to, amount: "30", at: "2026-11-21T03:00:00Z" },
    { to: stranger.address, amount: "31", at: noon },
    { to, amount: "1", asset: "ETH", at: noon },
  ];
  const before = await everythingStored();
  const outcomes = ({ json }: RouteResponse) =>
    (json.decisions as { outcome: string; reason?: string }[]).map(({ outcome, reason }) => reason ?? outcome);
  const stored = await byOwner("POST", `/v1${path}`, { payments });
  expect(outcomes(stored)).toEqual(["allowed", "held", "held", "asset_not_allowed"]);
  const draft = { active_hours: "04:00-03:00", per_transaction_limit_usdg: 30, hitl_threshold_usdg: 30 };
  const tried = await byOwner("POST", `/v1${path}`, { spend_policy: draft, payments: payments.slice(0, 3) });
  expect(outcomes(tried)).toEqual(["allowed", "outside_active_hours", "per_transaction_limit"]);
  expect((tried.json.decisions as { rules: unknown[] }[])[1]?.rules).toEqual([
    { rule: "agent_paused", outcome: "pass" },
    { rule: "asset_not_allowed", outcome: "pass" },
    { rule: "recipient_not_allowed", outcome: "pass" },
    { rule: "outside_active_hours", outcome: "fail" },
    { rule: "per_transaction_limit", outcome: "pass" },
    { rule: "daily_limit", outcome: "pass" },
    { rule: "approval_threshold", outcome: "pass" },
  ]);
  expect((await bySession("POST", `/v1${path}`, { payments })).json).toEqual(stored.json);
  expect(await everythingStored()).toEqual(before);
});

describe("a payment that awaits approval", () => {
  let held: string;
  beforeEach(async () => {
    [held = ""] = await holdPayments(owner, [3_600_000], agent);
  });

  test("is not there for others: a stranger by key or session, another agent, the other network; nor are made-up ids", async () => {
    const bySibling = (await keyCaller({ ...owner.session, account: await insertAgent(owner) })).call;
    const live = (await keyCaller({ ...owner.session, network: "live", chainId: 4663 })).call;
    const bySession = await sessionCaller(stranger);
    const notFound = [404, { code: "transaction_not_found" }];
    const path = (id: string, verb = "") => `/agents/transactions/${id}${verb}`;
    for (const verb of ["/approve", "/reject"]) {
      for (const id of ["txn_00000000000000000000000000", "nonsense", "txn_"]) {
        await refused(() => byOwner("POST", `/v1${path(id, verb)}`), notFound, id);
      }
      for (const by of [byStranger, live]) await refused(() => by("POST", `/v1${path(held, verb)}`), notFound);
      await refused(() => bySession("POST", `/v1${path(held, verb)}`, {}), notFound);
    }
    for (const id of ["txn_00000000000000000000000000", "nonsense"]) {
      await refused(() => byOwner("GET", `/v1${path(id)}`), notFound, id);
    }
    for (const by of [byStranger, bySibling, live]) {
      await refused(() => by("GET", `/v1${path(held)}`), notFound);
      expect((await by("GET", "/v1/agents/transactions/pending")).json.pending).toEqual([]);
    }
  });

  test("is counted while it waits; the list of those that no longer wait says so, and is its owner's alone", async () => {
    const [call, byOther] = [await sessionCaller(owner), await sessionCaller(stranger)];
    const list = (by: RouteCall, query: string) => by("GET", `/api/agents/transactions${query}`);
    expect((await list(call, "/count")).json).toEqual({ pending: 1 });
    expect((await list(call, "")).json.transactions).toEqual([]);
    await call("POST", `/v1/agents/transactions/${held}/reject`, {});
    expect((await list(call, "/count")).json).toEqual({ pending: 0 });
    const decided = { transaction_id: held, status: "rejected", decided_by: { type: "session" } };
    expect((await list(call, `?agent=${agent.id}`)).json.transactions).toMatchObject([decided]);
    expect((await list(byOther, "")).json.transactions).toEqual([]);
    await refused(() => list(byOther, `?agent=${agent.id}`), NOT_OWNER);
    const pending = [400, { code: "invalid_request", param: "status" }];
    await refused(() => list(call, "?status=pending_approval"), pending);
  });

  test("is approved by a session with a client-signed payment only, and by no body with other fields", async () => {
    const bySession = await sessionCaller(owner);
    const withoutPayment = [400, { code: "invalid_request", param: "client_signed" }];
    await refused(() => bySession("POST", `/v1/agents/transactions/${held}/approve`, {}), withoutPayment);
    const more = [400, { code: "invalid_request", param: "amount" }];
    await refused(() => byOwner("POST", `/v1/agents/transactions/${held}/approve`, { amount: "1" }), more);
  });

  test("is rejected by key and by session, once, with one event and entry; the same Idempotency-Key says it again", async () => {
    const [second = ""] = await holdPayments(owner, [3_600_000], agent);
    const path = (id: string, verb = "reject") => `/v1/agents/transactions/${id}/${verb}`;
    const headers = { "idempotency-key": "reject-once" };
    const said = { agent: `@${agent.handle}`, to: "@bob", confidential: true };
    const rejected = { ...said, status: "rejected", decided_at: expect.stringMatching(/Z$/) };
    const first = await byOwner("POST", path(held), undefined, headers);
    expect([first.status, first.json]).toEqual([200, { transaction_id: held, ...rejected }]);
    const again = await byOwner("POST", path(held), undefined, headers);
    expect([again.text, again.headers["idempotent-replayed"]]).toEqual([first.text, "true"]);
    const bySession = await sessionCaller(owner);
    const other = await bySession("POST", `/v1/agents/transactions/${second}/reject`, {});
    expect([other.status, other.json]).toEqual([200, { transaction_id: second, ...rejected }]);
    for (const id of [held, second]) {
      for (const verb of ["reject", "approve"]) {
        await refused(() => byOwner("POST", path(id, verb)), [404, { code: "transaction_not_found" }]);
      }
      const { json: events } = await byOwner("GET", "/v1/events?type=agent.transaction.rejected");
      expect(JSON.stringify(events).split(`"transaction_id":"${id}"`)).toHaveLength(2);
      const { json: log } = await byOwner("GET", `/v1/audit-log?target=${id}`);
      expect(log.entries).toMatchObject([
        { action: "agent.transaction.rejected", actor: { type: id === held ? "key" : "session" } },
      ]);
    }
  });
});

describe("a registration by the owner's client", () => {
  const REGISTRATION = {
    ...{ address: hexOf(20), wallet: hexOf(73), deadline: inSeconds(7_200), secret_version: 1 },
    ...{ owner_signature: hexOf(65), agent_signature: hexOf(65) },
  };
  const AGENT = { name: "other", registration: REGISTRATION, signed: UNSIGNED_POLICY };
  const registering = (change: object) => ({ registration: { ...REGISTRATION, ...change } });
  const at = "registration.deadline";

  test.each<[what: string, change: object, code: string, param: string]>([
    [
      "an encrypted key of another length",
      registering({ wallet: hexOf(72) }),
      "invalid_request",
      "registration.wallet",
    ],
    ["a deadline that has passed", registering({ deadline: "1700000000" }), "invalid_request", at],
    ["a deadline over 24 hours ahead", registering({ deadline: inSeconds(100_000) }), "invalid_request", at],
    ["no signed policy", { signed: undefined }, "invalid_request", "signed"],
    ["no wallet", { registration: undefined }, "invalid_request", "registration"],
    ["neither", { registration: undefined, signed: undefined }, "invalid_request", "registration"],
    ["a bad name", { name: "Bot" }, "invalid_policy", "name"],
    ["a bad policy", { spend_policy: { daily_limit_usdg: -1 } }, "invalid_policy", "spend_policy.daily_limit_usdg"],
  ])("is refused with %s, and there is no agent", async (_, change, code, param) => {
    const bySession = await sessionCaller(owner);
    await refused(() => bySession("POST", "/v1/accounts/me/agents", { ...AGENT, ...change }), [400, { code, param }]);
  });
});
