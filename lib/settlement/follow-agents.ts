import { sql } from "drizzle-orm";
import { type Address, zeroAddress } from "viem";
import type { Tx } from "@/db/client";
import { revokeAgentKeys } from "@/lib/accounts/keys/revoke-agent-keys";
import { agentEvent } from "@/lib/agents/agent-event";
import { rejectHeldOf } from "@/lib/agents/reject-held";
import type { ChainId } from "@/lib/base/network";
import { appendEvents } from "@/lib/events/append-events";
import type { LedgerEvent } from "@/lib/ledger/ledger-events";

const hexOf = (address: Address) => `\\x${address.slice(2)}`;
const bytes = (address: Address) => Buffer.from(address.slice(2), "hex");

interface Whose {
  owner?: Address;
  agents?: readonly Address[];
}

/**
 * Updates the status of agents from the index. An agent without a signer has ended, even if its owner ended it without
 * the service; its API keys end with it, and its payments that wait for approval are rejected. An agent that has a signer again is paused until its owner resumes it,
 * which signs its policy. Each change has its event.
 *
 * @param whose the agents of this owner, or these agents; all agents of the chain by default
 */
export async function followAgents(tx: Tx, chainId: ChainId, now: Date, whose: Whose = {}): Promise<void> {
  const { owner, agents } = whose;
  const changed = await tx.execute<{ id: string; handle: string; owner_id: string; status: "ended" | "paused" }>(sql`
    update agents g set status = case when l.signer = ${bytes(zeroAddress)} then 'ended' else 'paused' end
    from accounts a join ledger_accounts l on l.chain_id = a.chain_id and l.address = a.address
    where g.account_id = a.id and a.chain_id = ${chainId} and l.enrolled_block is not null
      and (l.signer = ${bytes(zeroAddress)}) <> (g.status = 'ended')
      ${owner ? sql`and l.owner = ${bytes(owner)}` : sql.empty()}
      ${agents ? sql`and l.address = any(${sql.param(agents.map(hexOf))}::text[]::bytea[])` : sql.empty()}
    returning a.id, a.handle, a.owner_id, g.status`);
  const events = changed.map(({ id, handle, owner_id, status }) =>
    agentEvent(chainId, `agent.${status}`, { id, handle, rootId: owner_id }),
  );
  await appendEvents(tx, events, now);
  const ended = changed.flatMap(({ id, status }) => (status === "ended" ? [id] : []));
  await revokeAgentKeys(tx, chainId, ended, now);
  await rejectHeldOf(tx, chainId, ended);
}

/**
 * Like {@link followAgents}, but only for agents whose signer the events change. Operations that end others may be
 * pending.
 */
export async function followSigners(
  tx: Tx,
  chainId: ChainId,
  events: readonly LedgerEvent[],
  now: Date,
): Promise<void> {
  const agents = events.flatMap((event) => (event.eventName === "AgentSignerSet" ? [event.args.agent] : []));
  if (agents.length > 0) await followAgents(tx, chainId, now, { agents });
}
