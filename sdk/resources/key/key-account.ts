import { account } from "../../account/account";
import { listAgents, pauseAgent, resumeByKey } from "../../account/agents";
import type { DecryptedBalances } from "../../account/funds/balances";
import { getPolicy, setPolicyByKey, simulatePolicy } from "../../account/policy";
import type { CallOptions } from "../../api/call-options";
import { checkInput, checkText } from "../../api/check-input";
import { OPTIONAL_PAGE, type OptionalPageInput, type Paged } from "../../api/paged";
import type { Account } from "../../api/resources/accounts";
import type { Agent, AgentList, DecisionList, SimulatePolicy, SpendPolicyFields } from "../../api/resources/agents";
import type { SpendPolicy } from "../../api/resources/transfers";
import type { KeyContext } from "../../context/key-context";
import { Resource } from "../resource";

/** The API key's account: `halcyon.account`. */
export class KeyAccount extends Resource<KeyContext> {
  /** Returns the account of the API key. For an agent's key, this is the agent. */
  get(options?: CallOptions): Promise<Account> {
    return account(this.context.within(options));
  }
}

/** Whether each balance is above zero: `halcyon.balances`. */
export class KeyBalances extends Resource<KeyContext> {
  /**
   * Reports whether each asset's balance is above zero. With a `decryptionProof` from the wallet, returns the amounts.
   */
  async get(input: { decryptionProof?: string | undefined } = {}, options?: CallOptions): Promise<DecryptedBalances> {
    checkInput(input, { decryptionProof: "text" });
    const { http, bearer: headers } = this.context.within(options);
    const json = input.decryptionProof === undefined ? {} : { decryption_proof: input.decryptionProof };
    return (await http.send("POST", "/v1/accounts/me/balances", { json, headers })).body as DecryptedBalances;
  }
}

/** Accounts for programs: `halcyon.agents`. */
export class KeyAgents extends Resource<KeyContext> {
  /** Lists the account's agents on this network, oldest first: all of them unless you set `limit`. */
  list(input: OptionalPageInput = {}, options?: CallOptions): Paged<AgentList, Agent> {
    checkInput(input, OPTIONAL_PAGE);
    return listAgents(this.context.within(options), input);
  }

  /** Stops an agent's payments at once, whatever its policy allows. */
  pause(agent: string, options?: CallOptions): Promise<Agent> {
    checkText("agent", agent);
    return pauseAgent(this.context.within(options), agent, options);
  }

  /** Lets a paused agent pay again. */
  resume(agent: string, options?: CallOptions): Promise<Agent> {
    checkText("agent", agent);
    return resumeByKey(this.context.within(options), agent, options);
  }
}

/** Agents' spend policies: `halcyon.policies`. */
export class KeyPolicies extends Resource<KeyContext> {
  /** Returns an agent's spend policy. With the agent's own key, leave the name out. */
  get(agent?: string, options?: CallOptions): Promise<SpendPolicy> {
    if (agent !== undefined) checkText("agent", agent);
    return getPolicy(this.context.within(options), agent);
  }

  /** Changes the given fields of an agent's policy; the others keep their values. */
  async update(agent: string, fields: SpendPolicyFields, options?: CallOptions): Promise<SpendPolicy> {
    checkText("agent", agent);
    checkInput({ fields }, { fields: "object!" });
    return setPolicyByKey(this.context.within(options), agent, fields);
  }

  /** Simulates a list of payments against a policy. It pays and stores nothing. */
  simulate(agent: string, input: SimulatePolicy, options?: CallOptions): Promise<DecisionList> {
    checkText("agent", agent);
    checkInput(input, { spend_policy: "object", payments: "object!" });
    return simulatePolicy(this.context.within(options), agent, input);
  }
}
