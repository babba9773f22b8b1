import { account } from "./account";
import { callAsOwner, findAgent } from "./agents";
import type { Context } from "./context";
import type { SpendPolicy, SpendPolicyFields } from "./resources";

/**
 * An agent's spend policy.
 *
 * @param name `bot` or `@alice/bot`; an agent's own key may leave it out
 */
export async function getPolicy(context: Context, name?: string): Promise<SpendPolicy> {
  const { account_id } = name === undefined ? await account(context) : await findAgent(context, name);
  if (name === undefined) {
    const path = `/v1/agents/${account_id}/spend-policy`;
    return (await context.http.send("GET", path, { headers: context.bearer })).body as SpendPolicy;
  }
  return callAsOwner<SpendPolicy>(context, "GET", `/${account_id}/spend-policy`);
}

/**
 * Changes the given fields of an agent's policy; the others keep their values. Holds for every payment after it.
 *
 * @example
 * await halcyon.setPolicy("bot", { daily_limit_usdg: 50 });
 * @throws HalcyonError `invalid_policy` naming the field
 */
export async function setPolicy(context: Context, name: string, fields: SpendPolicyFields): Promise<SpendPolicy> {
  const { account_id } = await findAgent(context, name);
  return callAsOwner<SpendPolicy>(context, "PATCH", `/${account_id}/spend-policy`, fields);
}
