import { randomBytes, randomUUID } from "node:crypto";
import type { Halcyon } from "@/sdk/client";
import { expect, type Party, productURL, settled } from "./fixtures";
import { type RawAnswer, withKey } from "./http";

/** Lets an agent pay anyone up to 50 per payment and 100 per day. Payments above 10 need approval. */
export const OPEN_POLICY = {
  daily_limit_usdg: 100,
  per_transaction_limit_usdg: 50,
  hitl_threshold_usdg: 10,
  allowed_recipients: ["*"],
  assets: ["USDG"],
  active_hours: "00:00-24:00",
};

const hex = (bytes: number) => `0x${"ab".repeat(bytes)}`;

/** A policy in the form in which the owner's client would sign it, without a signature. */
export const UNSIGNED_POLICY = {
  document: {
    kind: "set_policy",
    account: hex(20),
    limited: true,
    recipients_root: hex(32),
    document_hash: hex(32),
    assets: [],
    words: [],
    policy_version: "0",
    deadline: String(Math.floor(Date.now() / 1000) + 7_200),
    signature: hex(65),
  },
  salt: hex(32),
  resolved: [],
};

/** An agent of a party, with its own API key. */
export interface AgentParty {
  id: string;
  handle: string;
  address: string;
  policyId: string;
  keyId: string;
  apiKey: string;
  call: Party["call"];
}

/** Returns a name that no other test uses. */
export const agentName = (name = "bot") => `${name}-${randomBytes(4).toString("hex")}`;

/** Registers an agent with the party's API key. */
export async function createAgent(owner: Party, policy: object = OPEN_POLICY): Promise<RawAnswer> {
  const response = await owner.call("POST", "/v1/accounts/me/agents", { name: agentName(), spend_policy: policy });
  expect(response.status, response.text).toBe(201);
  return response;
}

/** Creates an API key for an agent. Retries, because the ledger shows a new agent a moment after the response. */
export async function agentKey(owner: Halcyon, agent: string): Promise<{ key_id: string; api_key: string }> {
  let key = { key_id: "", api_key: "" };
  await expect(async () => {
    key = await owner.keys.create({ label: "agent", agent });
  }).toPass();
  return key;
}

/** Creates an agent with its own API key and `budget` USDG to spend. */
export async function newAgent(owner: Party, budget: string, policy: object = OPEN_POLICY): Promise<AgentParty> {
  const { json } = await createAgent(owner, policy);
  const handle = String(json.handle);
  if (budget !== "0") {
    const funded = await owner.call(
      "POST",
      "/v1/transfers",
      { to: handle, amount: budget },
      { "idempotency-key": randomUUID() },
    );
    expect(funded.status, funded.text).toBe(201);
    expect(await settled(owner, String(funded.json.transfer_id))).toMatchObject({ status: "confirmed" });
  }
  const key = await agentKey(owner.client, handle);
  return {
    id: String(json.account_id),
    handle,
    address: String(json.public_key),
    policyId: String(json.spend_policy_id),
    keyId: key.key_id,
    apiKey: key.api_key,
    call: withKey(productURL, key.api_key),
  };
}

/** Has the agent ask for a payment above its threshold. Returns the held payment's id. */
export async function holdPayment(
  agent: AgentParty,
  payment: { to: string; amount: string; memo?: string },
  call = agent.call,
): Promise<string> {
  const response = await call("POST", "/v1/transfers", payment);
  expect(response.status, response.text).toBe(202);
  return String(response.json.transaction_id);
}

/** Returns everything about an agent that a refused request could have changed, as its owner sees it. */
export async function agentStateOf(owner: Party, agentId: string): Promise<unknown> {
  const [list, policy, pending, log] = await Promise.all([
    owner.call("GET", "/v1/accounts/me/agents"),
    owner.call("GET", `/v1/agents/${agentId}/spend-policy`),
    owner.call("GET", "/v1/agents/transactions/pending"),
    owner.call("GET", "/v1/audit-log?limit=1"),
  ]);
  const entries = log.json.entries as { id: string; action: string }[];
  return { agents: list.json.agents, policy: policy.json, pending: pending.json, last: entries[0]?.id };
}
