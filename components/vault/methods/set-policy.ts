import type { Context } from "@/sdk/context";
import { setPolicy as set } from "@/sdk/policy";
import type { SpendPolicy, SpendPolicyFields } from "@/sdk/resources";

/** Changes fields of an agent's policy; the wallet is asked to sign what loosens it. */
export function setPolicy(
  context: Context,
  { agent, fields }: { agent: string; fields: SpendPolicyFields },
): Promise<SpendPolicy> {
  return set(context, agent, fields);
}
