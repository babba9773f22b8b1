import { type Address, zeroAddress } from "viem";
import { LedgerError } from "../crypto/errors";
import { lowerCase } from "../prepare/next-state";
import type { AuthorityDraft } from "./authority-documents";
import { MAX_AGENTS_AT_ONCE } from "./authority-limits";
import { hasSignerAt, type LedgerParty } from "./ledger-record";

/**
 * Plans new signers for all agents of an owner that have not ended at `now`, based on their ledger records. Agents keep
 * their expiry, so agents with the same expiry share a call, up to the limit of one call.
 *
 * @param signerOf returns an agent's new signer; null to end the agent
 * @throws LedgerError if a party is not an agent of this owner
 */
export function planAgentSigners(
  owner: Address,
  agents: readonly LedgerParty[],
  signerOf: (agent: Address) => Address | null,
  now: bigint,
  deadline: bigint,
): AuthorityDraft<"set_agent_signer">[] {
  const byEnd = new Map<bigint, LedgerParty[]>();
  for (const agent of agents) {
    if (lowerCase(agent.record.owner) !== lowerCase(owner)) throw new LedgerError("This is another owner's agent.");
    const { until } = agent.record;
    if (hasSignerAt(agent.record, now)) byEnd.set(until, [...(byEnd.get(until) ?? []), agent]);
  }
  return [...byEnd].flatMap(([until, group]) => {
    const sorted = group
      .map(({ address, record }) => ({ agent: lowerCase(address), version: record.policyVersion }))
      .sort((a, b) => (a.agent < b.agent ? -1 : 1));
    return chunksOf(sorted, MAX_AGENTS_AT_ONCE).map((some) => ({
      kind: "set_agent_signer" as const,
      owner: lowerCase(owner),
      agents: some.map(({ agent }) => agent),
      signers: some.map(({ agent }) => lowerCase(signerOf(agent) ?? zeroAddress)),
      policy_versions: some.map(({ version }) => version.toString()),
      until: until.toString(),
      deadline: deadline.toString(),
    }));
  });
}

function chunksOf<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
}
