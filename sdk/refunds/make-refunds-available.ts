import type { Hex } from "viem";
import { noteCommitment } from "@/lib/ledger/crypto/commitments";
import { hexToWord } from "@/lib/ledger/crypto/field";
import { formatAmount } from "@/lib/money";
import { agentRefunds } from "../account/agent-refunds";
import { listAgents } from "../account/agents";
import { partyOf } from "../account/party";
import type { Agent } from "../api/resources/agents";
import type { Context } from "../context/context";
import { allocateOnce, allocationSettled } from "../funding/allocate";
import { allocationStep } from "../funding/allocation-step";
import { type Funds, openFunds } from "../funds/funds";
import { readTransfers } from "../transfers/encrypted-transfers";

/** What of an agent's refunds it can pay from again. */
export interface AvailableRefunds {
  /** Handle of the agent. */
  agent: string;
  asset: string;
  /** How many refunds. */
  refunds: number;
  /** Decimal string. */
  amount: string;
  tx_hashes: Hex[];
}

const PAGE = 100;

/**
 * Makes what came back to agents as refunds available to them again, of every agent whose refunds go to it. What others have
 * paid an agent otherwise stays as it is. Safe to repeat: what agents have available already is left alone.
 */
export async function makeRefundsAvailable(context: Context): Promise<AvailableRefunds[]> {
  const { agents } = await listAgents(context);
  const done: AvailableRefunds[] = [];
  for (const agent of agents) {
    if (agent.status === "ended") continue;
    if ((await agentRefunds(context, agent.handle)).refunds !== "available") continue;
    done.push(...(await ofAgent(context, agent)));
  }
  return done;
}

async function ofAgent(context: Context, { handle, account_id }: Agent): Promise<AvailableRefunds[]> {
  const [party, { assets }] = await Promise.all([partyOf(context, handle), context.info()]);
  const done: AvailableRefunds[] = [];
  for (const asset of assets) {
    const { notes } = await openFunds(context, party, asset);
    // Most of the time there is nothing: then no list is read.
    if (notes.length === 0) continue;
    const refunds = await refundNotes(context, account_id, asset.symbol);
    const ofRefunds = (funds: Funds) => {
      return { ...funds, credit: 0n, notes: funds.notes.filter((note) => refunds.has(noteCommitment(note))) };
    };
    const outcome = { agent: handle, asset: asset.symbol, refunds: 0, tx_hashes: [] as Hex[] };
    let added = 0n;
    for (;;) {
      const allocated = await allocateOnce(context, party, asset, (funds) => allocationStep(ofRefunds(funds), {}));
      if (!allocated) break;
      outcome.tx_hashes.push(await allocationSettled(context, allocated));
      outcome.refunds += allocated.step?.notes.length ?? 0;
      added += allocated.step?.added ?? 0n;
    }
    if (outcome.tx_hashes.length > 0) done.push({ ...outcome, amount: formatAmount(added, asset.decimals) });
  }
  return done;
}

/** The notes of an agent's refunds, as the service lists them: a wrong one only names another note of the same agent. */
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
