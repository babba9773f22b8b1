import type { AgentRefunds, RefundsTo } from "../account/agent-refunds";
import { listAgents, pauseAgent } from "../account/agents";
import type { CreateAgentInput } from "../account/create-agent";
import type { EndedAgent, RekeyedAgent } from "../account/end-agent";
import { resumeAgent } from "../account/set-policy";
import type { CallOptions } from "../api/call-options";
import { checkInput, checkText } from "../api/check-input";
import { OPTIONAL_PAGE, type OptionalPageInput, type Paged } from "../api/paged";
import type { Agent, AgentList } from "../api/resources/agents";
import type { AvailableRefunds } from "../refunds/make-refunds-available";
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
  async create(input: CreateAgentInput, options?: CallOptions): Promise<Agent> {
    checkInput(input, { name: "text!", policy: "object" });
    const { createAgent } = await import("./rare-calls");
    return createAgent(this.context.within(options), input, options);
  }

  /** The account's agents on this network, oldest first: all of them unless `limit` is given. */
  list(input: OptionalPageInput = {}, options?: CallOptions): Paged<AgentList, Agent> {
    checkInput(input, OPTIONAL_PAGE);
    return listAgents(this.context.within(options), input);
  }

  /**
   * Stops an agent's payments at once, whatever its policy allows. The service stops them; `end` is what the ledger enforces.
   */
  pause(agent: string, options?: CallOptions): Promise<Agent> {
    checkText("agent", agent);
    return pauseAgent(this.context.within(options), agent, options);
  }

  /** Lets a paused agent pay again. With the wallet, which signs it, it returns once the ledger has it. */
  resume(agent: string, options?: CallOptions): Promise<Agent> {
    checkText("agent", agent);
    return resumeAgent(this.context.within(options), agent, options);
  }

  /** Where refunds of what an agent paid go. Needs the wallet. */
  async refunds(agent: string, options?: CallOptions): Promise<AgentRefunds> {
    checkText("agent", agent);
    const { agentRefunds } = await import("./rare-calls");
    return agentRefunds(this.context.within(options), agent);
  }

  /**
   * Sets where refunds of what an agent paid go: `available`, to the agent, where your client makes them available again, or
   * `owner`, to your own account. Needs the wallet.
   *
   * @example
   * await halcyon.agents.setRefunds("bot", { refunds: "owner" });
   */
  async setRefunds(agent: string, input: { refunds: RefundsTo }, options?: CallOptions): Promise<AgentRefunds> {
    checkText("agent", agent);
    checkInput(input, { refunds: "text!" });
    const { agentRefunds } = await import("./rare-calls");
    return agentRefunds(this.context.within(options), agent, input.refunds);
  }

  /**
   * Makes what came back to your agents as refunds available to them again, of every agent whose refunds go to it. Call it now
   * and then, or when `transfer.confirmed` announces a refund. Needs the wallet.
   *
   * @example
   * await halcyon.agents.makeRefundsAvailable();
   * // [{ agent: "@alice/bot", asset: "USDG", refunds: 1, amount: "5", tx_hashes: ["0x…"] }]
   */
  async makeRefundsAvailable(options?: CallOptions): Promise<AvailableRefunds[]> {
    const { makeRefundsAvailable } = await import("./rare-calls");
    return makeRefundsAvailable(this.context.within(options));
  }

  /**
   * Ends an agent on the ledger: neither its key nor an approval pays from it any more, even if the service is taken over. Its
   * money goes back to you with a payment from it. Needs the wallet; the service need not take part.
   *
   * @param agent its name, its handle, or the address of one that the service does not list
   * @example
   * await halcyon.agents.end("bot");
   * // { account_id: "acct_…", handle: "@alice/bot", status: "ended", tx_hash: "0x…", by: "service" }
   * @throws HalcyonError `unavailable` when neither the service sends it nor the wallet can pay for gas
   */
  async end(agent: string, options?: CallOptions): Promise<EndedAgent> {
    checkText("agent", agent);
    const { endAgent } = await import("./rare-calls");
    return endAgent(this.context.within(options), agent);
  }

  /**
   * Gives an agent a new key, made on this machine: the one before signs nothing any more. Its handle, address, policy and
   * money stay. Needs the wallet.
   *
   * @example
   * await halcyon.agents.replaceKey("bot");
   * // { account_id: "acct_…", handle: "@alice/bot", signer: "0x…", tx_hash: "0x…", by: "service" }
   */
  async replaceKey(agent: string, options?: CallOptions): Promise<RekeyedAgent> {
    checkText("agent", agent);
    const { replaceAgentKey } = await import("./rare-calls");
    return replaceAgentKey(this.context.within(options), agent);
  }
}
