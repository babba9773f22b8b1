import type { AgentRefunds, RefundsTo } from "../account/agent-refunds";
import { listAgents, pauseAgent } from "../account/agents";
import type { CreateAgentInput } from "../account/create-agent";
import type { EndedAgent } from "../account/end-agent";
import type { CallOptions } from "../api/call-options";
import { checkInput, checkText } from "../api/check-input";
import { OPTIONAL_PAGE, type OptionalPageInput, type Paged } from "../api/paged";
import type { Agent, AgentList } from "../api/resources/agents";
import type { AvailableRefunds } from "../payments/refunds/make-refunds-available";
import type { RekeyedAgent } from "../recovery/account-secret/replace-agent-key";
import { Resource } from "./resource";

/** Accounts for programs: `halcyon.agents`. Name an agent as `bot` or `@alice/bot`. */
export class AgentsResource extends Resource {
  /**
   * Creates an agent: an account with its own wallet and spend policy. With the wallet, this machine creates the
   * agent's key and sends it to the service encrypted. With only an API key, the service creates the key in memory
   * during the request.
   *
   * @example
   * await halcyon.agents.create({ name: "bot", spendPolicy: { daily_limit_usdg: 100 } });
   * // { account_id: "acct_…", handle: "@alice/bot", public_key: "0x…", status: "active", spend_policy_id: "pol_…" }
   * @throws HalcyonError `invalid_policy` naming the field, `handle_taken`
   */
  async create(input: CreateAgentInput, options?: CallOptions): Promise<Agent> {
    const { createAgent } = await import("./lazy-calls");
    return createAgent(this.context.within(options), input, options);
  }

  /** Lists the account's agents on this network, oldest first: all of them unless you set `limit`. */
  list(input: OptionalPageInput = {}, options?: CallOptions): Paged<AgentList, Agent> {
    checkInput(input, OPTIONAL_PAGE);
    return listAgents(this.context.within(options), input);
  }

  /**
   * Stops an agent's payments at once, whatever its policy allows. The service enforces a pause. To stop an agent on
   * the ledger, use `end`.
   */
  pause(agent: string, options?: CallOptions): Promise<Agent> {
    checkText("agent", agent);
    return pauseAgent(this.context.within(options), agent, options);
  }

  /** Lets a paused agent pay again. With the wallet, which signs this, it returns once the change is on the ledger. */
  async resume(agent: string, options?: CallOptions): Promise<Agent> {
    checkText("agent", agent);
    const { resumeAgent } = await import("./lazy-calls");
    return resumeAgent(this.context.within(options), agent, options);
  }

  /** Returns where refunds of an agent's payments go. Needs the wallet. */
  async refunds(agent: string, options?: CallOptions): Promise<AgentRefunds> {
    checkText("agent", agent);
    const { agentRefunds } = await import("./lazy-calls");
    return agentRefunds(this.context.within(options), agent);
  }

  /**
   * Sets where refunds of an agent's payments go. `available`: to the agent; your client then makes them available to
   * it again. `owner`: to your own account. Needs the wallet.
   *
   * @example
   * await halcyon.agents.setRefunds("bot", { refunds: "owner" });
   */
  async setRefunds(agent: string, input: { refunds: RefundsTo }, options?: CallOptions): Promise<AgentRefunds> {
    checkText("agent", agent);
    checkInput(input, { refunds: "text!" });
    const { agentRefunds } = await import("./lazy-calls");
    return agentRefunds(this.context.within(options), agent, input.refunds);
  }

  /**
   * Makes refunds that your agents received available to them again, for every agent whose refunds go to itself. Call
   * it regularly, or when `transfer.confirmed` announces a refund. Needs the wallet.
   *
   * @example
   * await halcyon.agents.makeRefundsAvailable();
   * // [{ agent: "@alice/bot", asset: "USDG", refunds: 1, amount: "5", tx_hashes: ["0x…"] }]
   */
  async makeRefundsAvailable(options?: CallOptions): Promise<AvailableRefunds[]> {
    const { makeRefundsAvailable } = await import("./lazy-calls");
    return makeRefundsAvailable(this.context.within(options));
  }

  /**
   * Ends an agent on the ledger: neither its key nor an approval can pay from it any more, even if an attacker takes
   * over the service. Its API keys are revoked, and its payments that await approval are rejected. Afterwards you can
   * pay its remaining money to yourself. Needs the wallet; works without the service.
   *
   * @param agent its name, its handle, or the address of an agent that the service does not list
   * @example
   * await halcyon.agents.end("bot");
   * // { account_id: "acct_…", handle: "@alice/bot", status: "ended", tx_hash: "0x…", by: "service" }
   * @throws HalcyonError `unavailable` when the service does not send the transaction and the wallet can't pay for gas
   */
  async end(agent: string, options?: CallOptions): Promise<EndedAgent> {
    checkText("agent", agent);
    const { endAgent } = await import("./lazy-calls");
    return endAgent(this.context.within(options), agent);
  }

  /**
   * Replaces an agent's key with a new one created on this machine. The old key can't sign any more. The agent keeps
   * its handle, address, policy and money. Needs the wallet.
   *
   * @example
   * await halcyon.agents.replaceKey("bot");
   * // { account_id: "acct_…", handle: "@alice/bot", signer: "0x…", tx_hash: "0x…", by: "service",
   * //   available_balances: 1 }
   */
  async replaceKey(agent: string, options?: CallOptions): Promise<RekeyedAgent> {
    checkText("agent", agent);
    const { replaceAgentKey } = await import("./lazy-calls");
    return replaceAgentKey(this.context.within(options), agent);
  }
}
