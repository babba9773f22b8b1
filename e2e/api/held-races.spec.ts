import { setTimeout as sleep } from "node:timers/promises";
import { createPublicClient, type Hex, http, pad, toEventSelector } from "viem";
import { startWeb, type WebProcess } from "@/test/services/start-web";
import { type AgentParty, holdPayment, newAgent, OPEN_POLICY } from "./agent-fixtures";
import { expect, type Party, productURL, settled, test } from "./fixtures";
import { type RawAnswer, withKey } from "./http";

/*
 * Decisions at the same moment, through two server processes on one database. In every case there is one outcome and at
 * most one payment, and events, log and chain agree.
 */
const WINDOW_SECONDS = 3;
const ROUNDS = [0, 1, 2, 3];
const TRANSFERRED = toEventSelector(
  "Transferred(address,address,address,uint256,uint256,uint256,bytes32[4],bytes32[4])",
);

// One second server for all tests.
test.describe.configure({ mode: "default" });
let second: WebProcess;
test.beforeAll(async () => {
  second = await startWeb({ APPROVAL_WINDOW_SECONDS: String(WINDOW_SECONDS) });
});
test.afterAll(() => second?.stop());

type Verb = "approve" | "reject";

const decide = (url: string, party: Party, id: string, verb: Verb, key = party.apiKey) =>
  withKey(url, key)("POST", `/v1/agents/transactions/${id}/${verb}`);

const codeOf = ({ status, json }: RawAnswer) => (status === 200 ? String(json.status) : String(json.error?.code));
const codesOf = (responses: readonly RawAnswer[]) => responses.map(codeOf).sort();

async function statusOf(party: Party, id: string): Promise<string> {
  return String((await party.call("GET", `/v1/agents/transactions/${id}`)).json.status);
}

/** Returns how many payments of the agent the service lists, once all are final. */
async function paidBy(agent: AgentParty, owner: Party): Promise<number> {
  const { json } = await agent.call("GET", "/v1/transfers?limit=100");
  const sent = (json.transfers as { transfer_id: string; direction: string }[]).filter((t) => t.direction === "sent");
  for (const { transfer_id } of sent) expect(await settled(owner, transfer_id)).toMatchObject({ status: "confirmed" });
  return sent.length;
}

/** Returns how many payments of the agent the chain has. */
async function onChain(party: Party, agent: AgentParty): Promise<number> {
  const { ledger, rpc_url, ledger_block } = await (await party.session.get("/api/network")).json();
  const client = createPublicClient({ transport: http(rpc_url) });
  const logs = await client.request({
    method: "eth_getLogs",
    params: [
      {
        address: ledger,
        fromBlock: `0x${BigInt(ledger_block).toString(16)}`,
        toBlock: "latest",
        topics: [TRANSFERRED, pad(agent.address as Hex)],
      },
    ],
  });
  return logs.length;
}

/** Expects this many payments once everything is settled, on chain too, and the matching events. */
async function expectPayments(alice: Party, agent: AgentParty, ids: string[], approved: number): Promise<void> {
  expect(await paidBy(agent, alice)).toBe(approved);
  expect(await onChain(alice, agent)).toBe(approved);
  const statuses = await Promise.all(ids.map((id) => statusOf(alice, id)));
  expect(statuses.filter((status) => status === "approved")).toHaveLength(approved);
  const typesOf = async (id: string) => {
    const events = (await alice.call("GET", "/v1/events?limit=100")).json.events as object[];
    const mine = events.map((event) => JSON.stringify(event)).filter((text) => text.includes(id));
    return mine.map((text) => /agent\.transaction\.([a-z_]+)/.exec(text)?.[1]).sort();
  };
  for (const [index, id] of ids.entries()) {
    const status = statuses[index];
    const decided = status && status !== "pending_approval" ? [status] : [];
    // A job announces expired payments a moment after they expire.
    await expect.poll(() => typesOf(id), { timeout: 180_000 }).toEqual([...decided, "pending_approval"].sort());
  }
}

/** Returns the position of the newest audit entry with this action and target, in the owner's chain. */
async function orderOf(party: Party, action: string, target: string): Promise<number> {
  const { json } = await party.call("GET", "/v1/audit-log?limit=100");
  const entries = json.entries as { action: string; target: string }[];
  const index = entries.findIndex((entry) => entry.action === action && entry.target === target);
  return index < 0 ? -1 : entries.length - index;
}

test("two approvals at once, on two servers: one pays, the others find nothing to decide", async ({ alice, bob }) => {
  const agent = await newAgent(alice, "60", { ...OPEN_POLICY, daily_limit_usdg: 1_000 });
  const ids: string[] = [];
  for (const _ of ROUNDS) {
    const id = await holdPayment(agent, { to: bob.handle, amount: "11" });
    ids.push(id);
    const urls = [productURL, second.url, productURL, second.url];
    const responses = await Promise.all(urls.map((url) => decide(url, alice, id, "approve")));
    expect(codesOf(responses)).toEqual([
      "approved",
      "transaction_not_found",
      "transaction_not_found",
      "transaction_not_found",
    ]);
  }
  await expectPayments(alice, agent, ids, ROUNDS.length);
});

test("approval against rejection: the one that wins is what happens", async ({ alice, bob }) => {
  const agent = await newAgent(alice, "60", { ...OPEN_POLICY, daily_limit_usdg: 1_000 });
  const ids: string[] = [];
  let approved = 0;
  for (const round of ROUNDS) {
    const id = await holdPayment(agent, { to: bob.handle, amount: "11" });
    ids.push(id);
    // A rejection is faster, so vary when the approval starts.
    const first = decide(round % 2 ? productURL : second.url, alice, id, "approve");
    await sleep(round * 40);
    const other = decide(round % 2 ? second.url : productURL, alice, id, "reject");
    const codes = codesOf(await Promise.all([first, other]));
    expect(codes[1]).toBe("transaction_not_found");
    expect(["approved", "rejected"]).toContain(codes[0]);
    expect(await statusOf(alice, id)).toBe(codes[0]);
    if (codes[0] === "approved") approved += 1;
  }
  await expectPayments(alice, agent, ids, approved);
});

test("approval against the end of its window: it is paid once or expired, and an expired one stays so", async ({
  alice,
  bob,
}) => {
  const agent = await newAgent(alice, "60", { ...OPEN_POLICY, daily_limit_usdg: 1_000 });
  const held = withKey(second.url, agent.apiKey);
  const ids: string[] = [];
  let approved = 0;
  for (const ahead of [400, 60, 0, -60]) {
    const response = await held("POST", "/v1/transfers", { to: bob.handle, amount: "11" });
    expect(response.status, response.text).toBe(202);
    const id = String(response.json.transaction_id);
    ids.push(id);
    await sleep(Math.max(0, Date.parse(String(response.json.expires_at)) - Date.now() - ahead));
    const responses = await Promise.all([productURL, second.url].map((url) => decide(url, alice, id, "approve")));
    const codes = codesOf(responses);
    const paid = codes.includes("approved");
    // The losers find the payment decided, or its window over while the winner is still paying.
    const others = codes.filter((code) => code !== "approved");
    expect(others).toHaveLength(paid ? 1 : 2);
    for (const code of others) {
      expect(paid ? ["transaction_not_found", "transaction_expired"] : ["transaction_expired"]).toContain(code);
    }
    if (ahead < 0) expect(paid).toBe(false);
    if (paid) approved += 1;
    else {
      expect(await statusOf(alice, id)).toBe("expired");
      for (const verb of ["approve", "reject"] as const) {
        expect(codeOf(await decide(productURL, alice, id, verb))).toBe("transaction_expired");
      }
    }
  }
  await expectPayments(alice, agent, ids, approved);
  // The expiry job records each once.
  const expired = async () => {
    const { json } = await alice.call("GET", "/v1/audit-log?action=agent.transaction.expired&limit=100");
    const entries = json.entries as { target: string; actor: { type: string } }[];
    return entries.filter(({ target }) => ids.includes(target)).map(({ actor }) => actor.type);
  };
  await expect.poll(expired).toEqual(ids.slice(approved).map(() => "system"));
});

test("approval against a policy tightened meanwhile: what is paid was paid before the change", async ({
  alice,
  bob,
}) => {
  const agent = await newAgent(alice, "60", { ...OPEN_POLICY, daily_limit_usdg: 1_000 });
  const path = `/v1/agents/${agent.id}/spend-policy`;
  const ids: string[] = [];
  let approved = 0;
  for (const round of ROUNDS) {
    await alice.call("PATCH", path, { per_transaction_limit_usdg: 50 });
    const id = await holdPayment(agent, { to: bob.handle, amount: "11" });
    ids.push(id);
    const approval = decide(second.url, alice, id, "approve");
    await sleep(round * 30);
    const patched = await alice.call("PATCH", path, { per_transaction_limit_usdg: 10 });
    expect(patched.status).toBe(200);
    const code = codeOf(await approval);
    expect(["approved", "policy_violation"]).toContain(code);
    const [paid, changed] = [
      await orderOf(alice, "agent.transaction.approved", id),
      await orderOf(alice, "agent.policy.updated", agent.id),
    ];
    if (code === "approved") {
      approved += 1;
      expect(paid).toBeLessThan(changed);
    } else {
      expect(paid).toBe(-1);
      expect(await statusOf(alice, id)).toBe("pending_approval");
    }
  }
  await expectPayments(alice, agent, ids, approved);
});

test("approval against a pause: what is paid was paid before it", async ({ alice, bob }) => {
  const agent = await newAgent(alice, "60", { ...OPEN_POLICY, daily_limit_usdg: 1_000 });
  const ids: string[] = [];
  let approved = 0;
  for (const round of ROUNDS) {
    const id = await holdPayment(agent, { to: bob.handle, amount: "11" });
    ids.push(id);
    const approval = decide(second.url, alice, id, "approve");
    await sleep(round * 30);
    expect((await alice.call("POST", `/v1/agents/${agent.id}/pause`)).json.status).toBe("paused");
    const code = codeOf(await approval);
    expect(["approved", "policy_violation"]).toContain(code);
    if (code === "approved") {
      approved += 1;
      const paused = await orderOf(alice, "agent.paused", agent.id);
      expect(await orderOf(alice, "agent.transaction.approved", id)).toBeLessThan(paused);
    } else expect(await statusOf(alice, id)).toBe("pending_approval");
    await alice.call("POST", `/v1/agents/${agent.id}/resume`);
  }
  await expectPayments(alice, agent, ids, approved);
});

test("approval against its key's revocation: paid, or unauthorized and held", async ({ alice, bob }) => {
  const agent = await newAgent(alice, "60", { ...OPEN_POLICY, daily_limit_usdg: 1_000 });
  const ids: string[] = [];
  let approved = 0;
  for (const round of ROUNDS) {
    const key = await alice.client.keys.create({ label: "decides" });
    const id = await holdPayment(agent, { to: bob.handle, amount: "11" });
    ids.push(id);
    const approval = decide(second.url, alice, id, "approve", key.api_key);
    await sleep(round * 15);
    expect((await alice.session.send("DELETE", `/api/keys/${key.key_id}`)).status()).toBe(200);
    const code = codeOf(await approval);
    expect(["approved", "unauthorized"]).toContain(code);
    if (code === "approved") approved += 1;
    else expect(await statusOf(alice, id)).toBe("pending_approval");
    // From its next request on, the session can't decide anything on either server.
    for (const url of [productURL, second.url]) {
      expect(codeOf(await decide(url, alice, id, "reject", key.api_key))).toBe("unauthorized");
    }
  }
  await expectPayments(alice, agent, ids, approved);
});

test("approval against the revocation of the agent's own key: the owner decides", async ({ alice, bob }) => {
  const agent = await newAgent(alice, "20");
  const id = await holdPayment(agent, { to: bob.handle, amount: "11" });
  const responses = await Promise.all([
    decide(second.url, alice, id, "approve"),
    alice.session.send("DELETE", `/api/keys/${agent.keyId}`),
  ]);
  expect(codeOf(responses[0])).toBe("approved");
  const paid = await settled(alice, String(responses[0].json.transfer_id));
  expect(paid).toMatchObject({ status: "confirmed" });
  expect(await onChain(alice, agent)).toBe(1);
  expect((await agent.call("GET", "/v1/accounts/me")).status).toBe(401);
});
