import type { Address, Hex } from "viem";
import type { Network } from "@/lib/network";

/** How long a wallet's consent to a change of policy may take to arrive: seconds. */
export const CONSENT_SECONDS = 600;

/** A change of an agent's policy, as its owner's wallet shows and signs it. */
interface PolicyChange {
  network: Network;
  /** Of the network: a signature is good for one deployment. */
  ledger: Address;
  agent: { handle: string; address: Address };
  /** The fields of the policy as the request sends them, under the contract's names. */
  fields: object;
  /** `updated_at` of the policy before: the same text cannot be used twice, for a change makes another. */
  since: string;
  /** Unix seconds. */
  deadline: bigint;
}

/** The owner's consent as it travels with the change. */
export interface WalletConsent {
  signature: Hex;
  since: string;
  /** Unix seconds, as a decimal string. */
  deadline: string;
}

const TYPES = {
  LoosenPolicy: [
    { name: "network", type: "string" },
    { name: "ledger", type: "address" },
    { name: "agent", type: "string" },
    { name: "agentAddress", type: "address" },
    { name: "changes", type: "string" },
    { name: "since", type: "string" },
    { name: "deadline", type: "uint64" },
  ],
} as const;

/**
 * The EIP-712 message of a change that loosens a policy. `changes` has a line `name: JSON` for each field, sorted by
 * name, so that a wallet shows what is being allowed. The domain names no chain: nothing on a chain takes this message.
 */
export function policyChangeTypedData({ network, ledger, agent, fields, since, deadline }: PolicyChange) {
  const changes = Object.entries(fields)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return {
    domain: { name: "Halcyon", version: "1" },
    types: TYPES,
    primaryType: "LoosenPolicy" as const,
    message: {
      network,
      ledger: ledger.toLowerCase() as Address,
      agent: agent.handle,
      agentAddress: agent.address.toLowerCase() as Address,
      changes: changes.join("\n"),
      since,
      deadline,
    },
  };
}
