import type { Purpose } from "./purposes";
import type { ActToSign } from "./signing-for";

/** What an owner has signed about one agent. */
type AgentAct = "policy" | "policy again" | "resume" | "register" | "replace key" | "end";

const TYPES: Record<AgentAct, string> = {
  policy: "SetPolicy",
  "policy again": "SetPolicy",
  resume: "SetPolicy",
  register: "EnrollAgent",
  "replace key": "SetAgentSigner",
  end: "SetAgentSigner",
};

/** Of acts that sign the struct of another. */
const PURPOSES: Partial<Record<AgentAct, Purpose>> = {
  resume: {
    title: "Resume an agent",
    sentence:
      "From then on the agent pays within its policy again, which stays as it was. " +
      "Your wallet shows only a fingerprint of the policy. This itself pays nothing.",
  },
  "policy again": {
    title: "Sign the agent's policy again",
    sentence:
      "This puts the policy shown on this page in force on the ledger, unchanged. " +
      "Your wallet shows only a fingerprint of it. This itself pays nothing.",
  },
};

/**
 * Returns an act on an agent for its signature dialog, which names the agent: in the struct it is an address.
 *
 * @param agent its handle, or the name that it will have
 */
export function agentToSign(act: AgentAct, agent: string): ActToSign {
  return { types: [TYPES[act]], facts: [{ name: "Agent", value: agent }], purpose: PURPOSES[act] };
}
