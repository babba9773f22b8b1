import { randomBytes, randomUUID } from "node:crypto";
import type { Halcyon } from "@/sdk/client";
import { expect, type Party, productURL, settled } from "./fixtures";
import { withKey } from "./http";

/** Lets an agent pay anyone up to 50 per payment and 100 per day. Payments above 10 need approval. */
const OPEN_POLICY = {
  daily_limit_usdg: 100,
  per_transaction_limit_usdg: 50,
  hitl_threshold_usdg: 10,
  allowed_recipients: ["*"],
  assets: ["USDG"],
  active_hours: "00:00-24:00",
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

/** Creates an API key for an agent. Retries, because the ledger shows a new agent a moment after the response. */
export async function agentKey(owner: Halcyon, agent: string): Promise<{ key_id: string; api_key: string }> {
  let key = { key_id: "", api_key: "" };
  await expect(async () => {
    key = await owner.keys.create({ label: "agent", agent });
  }).toPass();
  return key;
}

/** Creates an agent with its own API key and `available` USDG to spend. */
export async function newAgent(owner: Party, available: string): Promise<AgentParty> {
  const name = `bot-${randomBytes(4).toString("hex")}`;
  const created = await owner.call("POST", "/v1/accounts/me/agents", { name, spend_policy: OPEN_POLICY });
  expect(created.status, created.text).toBe(201);
  const { json } = created;
  const handle = String(json.handle);
  if (available !== "0") {
    const funded = await owner.call(
      "POST",
      "/v1/transfers",
      { to: handle, amount: available },
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
