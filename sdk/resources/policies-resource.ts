import { getPolicy, simulatePolicy } from "../account/policy";
import type { CallOptions } from "../api/call-options";
import { checkInput, checkText } from "../api/check-input";
import type { DecisionList, SimulatePolicy, SpendPolicyFields } from "../api/resources/agents";
import type { SpendPolicy } from "../api/resources/transfers";
import { Resource } from "./resource";

/** Agents' spend policies: `halcyon.policies`. */
export class PoliciesResource extends Resource {
  /**
   * Returns an agent's spend policy. With the wallet, `in_force` says whether the ledger has this policy.
   *
   * @param agent `bot` or `@alice/bot`; not needed with the agent's own key
   */
  async get(agent?: string, options?: CallOptions): Promise<SpendPolicy> {
    if (agent !== undefined) checkText("agent", agent);
    const context = this.context.within(options);
    if (agent === undefined || !context.hasWallet) return getPolicy(context, agent);
    const { policyOfAgent } = await import("./lazy-calls");
    return policyOfAgent(context, agent);
  }

  /**
   * Changes the given fields of an agent's policy; the others keep their values. With the wallet, the client signs the
   * policy for the ledger and returns once the chain shows it. The wallet must sign a change that loosens the policy,
   * and any change in a guarded account. With an API key, the service signs during the request.
   *
   * @example
   * await halcyon.policies.update("bot", { daily_limit_usdg: 50 });
   * @throws HalcyonError `invalid_policy` naming the field; `key_forbidden` for an API key of a guarded account;
   * `policy_not_in_force` when the last change did not reach the ledger: set every field
   */
  async update(agent: string, fields: SpendPolicyFields, options?: CallOptions): Promise<SpendPolicy> {
    checkText("agent", agent);
    checkInput({ fields }, { fields: "object!" });
    const { setPolicy } = await import("./lazy-calls");
    return setPolicy(this.context.within(options), agent, fields);
  }

  /**
   * Simulates a list of payments against a policy, or against the agent's policy with some fields changed, as if they
   * happened now or at the given times. It pays and stores nothing.
   *
   * @example
   * const { decisions } = await halcyon.policies.simulate("bot", {
   *   spend_policy: { daily_limit_usdg: 50 },
   *   payments: [{ to: "@bob", amount: "60" }],
   * });
   * console.log(decisions[0]?.outcome, decisions[0]?.reason); // refused daily_limit
   */
  simulate(agent: string, input: SimulatePolicy, options?: CallOptions): Promise<DecisionList> {
    checkText("agent", agent);
    checkInput(input, { spend_policy: "object", payments: "object!" });
    return simulatePolicy(this.context.within(options), agent, input);
  }
}
