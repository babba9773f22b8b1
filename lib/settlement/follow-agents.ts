import { sql } from "drizzle-orm";
import { type Address, zeroAddress } from "viem";
import type { Tx } from "@/db/client";
import type { LedgerEvent } from "@/lib/ledger/ledger-events";
import type { ChainId } from "@/lib/network";

const bytes = (address: Address) => Buffer.from(address.slice(2), "hex");

/**
 * Makes the status of agents follow the index: one without a signer has ended, also one that its owner ended without the
 * service. One that has a signer again is paused until its owner resumes it, which signs its policy.
 *
 * @param owner the owner of the agents; all of the chain's when left out
 */
export async function followAgents(tx: Tx, chainId: ChainId, owner?: Address): Promise<void> {
  await tx.execute(sql`
    update agents g set status = case when l.signer = ${bytes(zeroAddress)} then 'ended' else 'paused' end
    from accounts a join ledger_accounts l on l.chain_id = a.chain_id and l.address = a.address
    where g.account_id = a.id and a.chain_id = ${chainId} and l.enrolled_block is not null
      and (l.signer = ${bytes(zeroAddress)}) <> (g.status = 'ended')
      ${owner ? sql`and l.owner = ${bytes(owner)}` : sql.empty()}`);
}

/** The same for the agents that events give other signers. */
export async function followSigners(tx: Tx, chainId: ChainId, events: readonly LedgerEvent[]): Promise<void> {
  if (events.some(({ eventName }) => eventName === "AgentSignerSet")) await followAgents(tx, chainId);
}
