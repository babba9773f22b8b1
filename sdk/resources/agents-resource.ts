import { listAgents, pauseAgent, resumeAgent } from "../account/agents";
import { type CreateAgentInput, createAgent } from "../account/create-agent";
import type { CallOptions } from "../api/call-options";
import { checkInput, checkText } from "../api/check-input";
import type { Agent } from "../api/resources/agents";
import { Resource } from "./resource";

/** Accounts for programs: `halcyon.agents`. Agents are named `bot` or `@alice/bot`. */
export class AgentsResource extends Resource {
  /**
   * Creates an agent: an account with a wallet and a spend policy of its own. With the wallet, the agent's key is created on
   * this machine and the service gets it encrypted; with an API key alone, the service creates it while the request lasts.
   *
   * @example
   * await halcyon.agents.create({ name: "bot", policy: { daily_limit_usdg: 100, per_transaction_limit_usdg: 20 } });
   * // { account_id: "acct_…", handle: "@alice/bot", public_key: "0x…", status: "active", spend_policy_id: "pol_…" }
   * @throws HalcyonError `invalid_policy` naming the field, `handle_taken`
   */
  create(input: CreateAgentInput, options?: CallOptions): Promise<Agent> {
    checkInput(input, { name: "text!", policy: "object" });
    return createAgent(this.context.within(options), input, options);
  }

  /** The account's agents on this network. */
  list(options?: CallOptions): Promise<{ agents: Agent[] }> {
    return listAgents(this.context.within(options));
  }

  /** Stops an agent's payments at once, whatever its policy allows. */
  pause(agent: string, options?: CallOptions): Promise<Agent> {
    checkText("agent", agent);
    return pauseAgent(this.context.within(options), agent, options);
  }

  /** Lets a paused agent pay again. */
  resume(agent: string, options?: CallOptions): Promise<Agent> {
    checkText("agent", agent);
    return resumeAgent(this.context.within(options), agent, options);
  }
}
