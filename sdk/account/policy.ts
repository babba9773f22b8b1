import type { DecisionList, SimulatePolicy, SpendPolicyFields } from "../api/resources/agents";
import type { SpendPolicy } from "../api/resources/transfers";
import { callApi } from "../context/call-api";
import type { Context } from "../context/context";
import { account } from "./account";
import { findAgent } from "./agents";

/**
 * Returns an agent's spend policy.
 *
 * @param name `bot` or `@alice/bot`; not needed with the agent's own key
 */
export async function getPolicy(context: Context, name?: string): Promise<SpendPolicy> {
  const { account_id } = name === undefined ? await account(context) : await findAgent(context, name);
  const by = name === undefined ? "key" : undefined;
  return callApi<SpendPolicy>(context, "GET", `/v1/agents/${account_id}/spend-policy`, { by });
}

/** Changes fields of a policy with an API key: the service signs it during the request. */
export async function setPolicyByKey(context: Context, name: string, fields: SpendPolicyFields): Promise<SpendPolicy> {
  const { account_id } = await findAgent(context, name);
  return callApi<SpendPolicy>(context, "PATCH", `/v1/agents/${account_id}/spend-policy`, { json: fields });
}

/** Simulates payments against a draft of a policy. Implements `policies.simulate`. */
export async function simulatePolicy(context: Context, name: string, input: SimulatePolicy): Promise<DecisionList> {
  const { account_id } = await findAgent(context, name);
  return callApi<DecisionList>(context, "POST", `/v1/agents/${account_id}/spend-policy/simulate`, { json: input });
}
