import type { Hex } from "viem";
import { formatAmount } from "@/lib/base/money";
import { noteCommitment } from "@/lib/ledger/crypto/commitments";
import { hexToWord } from "@/lib/ledger/crypto/field";
import { agentRefunds } from "../../account/agent-refunds";
import { listAgents } from "../../account/agents";
import { type Funds, openFunds } from "../../account/funds/funds";
import { partyOf } from "../../account/party";
import { partlyDone } from "../../api/partly-done";
import type { Agent } from "../../api/resources/agents";
import type { Context } from "../../context/context";
import { allocateOnce, allocationSettled } from "../funding/allocate";
import { allocationStep } from "../funding/allocation-step";
import { readTransfers } from "../transfers/encrypted-transfers";

/** Refunds that were made available to an agent again. */
export interface AvailableRefunds {
  /** Handle of the agent. */
  agent: string;
  asset: string;
  /** Number of refunds. */
  refunds: number;
  /** Decimal string. */
  amount: string;
  tx_hashes: Hex[];
}

const PAGE = 100;

/**
 * Makes refunds that agents received available to them again, for every agent whose refunds go to itself. Leaves other
 * payments to an agent as they are. Only the service says which payments were refunds. Safe to repeat: money that is
 * already available is left alone.
 *
 * @throws HalcyonError with `mayHaveHappened` when some were made available before it stopped
 */
export async function makeRefundsAvailable(context: Context): Promise<AvailableRefunds[]> {
  const { agents } = await listAgents(context);
  const done: AvailableRefunds[] = [];
  try {
    for (const agent of agents) {
      if (agent.status === "ended") continue;
      if ((await agentRefunds(context, agent.handle)).refunds !== "available") continue;
      await ofAgent(context, agent, done);
    }
  } catch (error) {
    if (done.length === 0) throw error;
    throw partlyDone(error, "Some refunds were made available. Repeat this for the others.");
  }
  return done;
}

/** Adds to `done` what is made available to an agent, as it settles. */
async function ofAgent(context: Context, { handle, account_id }: Agent, done: AvailableRefunds[]): Promise<void> {
  const [party, { assets }] = await Promise.all([partyOf(context, handle), context.info()]);
  for (const asset of assets) {
    const { notes } = await openFunds(context, party, asset);
    // Usually there are no notes, so skip reading the list of refunds.
    if (notes.length === 0) continue;
    const refunds = await refundNotes(context, account_id, asset.symbol);
    const ofRefunds = (funds: Funds) => {
      return { ...funds, credit: 0n, notes: funds.notes.filter((note) => refunds.has(noteCommitment(note))) };
    };
    const outcome: AvailableRefunds = { agent: handle, asset: asset.symbol, refunds: 0, amount: "0", tx_hashes: [] };
    let added = 0n;
    for (;;) {
      const allocated = await allocateOnce(context, party, asset, (funds) => allocationStep(ofRefunds(funds), {}));
      if (!allocated) break;
      outcome.tx_hashes.push(await allocationSettled(context, allocated));
      outcome.refunds += allocated.step?.notes.length ?? 0;
      added += allocated.step?.added ?? 0n;
      outcome.amount = formatAmount(added, asset.decimals);
      if (outcome.tx_hashes.length === 1) done.push(outcome);
    }
  }
}

/**
 * Returns the notes of an agent's refunds from the service's list. A false entry could only name another note of the
 * same agent.
 */
async function refundNotes(context: Context, agent: string, asset: string): Promise<ReadonlySet<bigint>> {
  const notes = new Set<bigint>();
  const query = { agent, asset, kind: "refund", direction: "received", status: "confirmed", limit: PAGE };
  for (let after: string | undefined; ; ) {
    const page = await readTransfers(context, { ...query, starting_after: after });
    for (const { note } of page.transfers) if (note !== null) notes.add(hexToWord(note));
    after = page.transfers.at(-1)?.transfer_id;
    if (!page.has_more || after === undefined) return notes;
  }
}
