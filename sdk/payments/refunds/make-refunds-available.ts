import type { Address, Hex } from "viem";
import { formatAmount } from "@/lib/base/money";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { type NoteOpening, noteCommitment } from "@/lib/ledger/crypto/commitments";
import { hexToWord } from "@/lib/ledger/crypto/field";
import { refundBinding } from "@/lib/ledger/crypto/refund-binding";
import { newHistory } from "@/lib/ledger/history/account-history";
import { agentRefunds } from "../../account/agent-refunds";
import { listAgents } from "../../account/agents";
import { type Funds, openFunds } from "../../account/funds/funds";
import { type Party, partyOf } from "../../account/party";
import type { Asset } from "../../api/network-info";
import { partlyDone } from "../../api/partly-done";
import type { Agent } from "../../api/resources/agents";
import { type Holder, readOn } from "../../chain/recover-scan";
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
 * payments to an agent as they are. With an RPC of its own, a client reads from the ledger's events which payments were
 * refunds; otherwise the service's list says it. Safe to repeat: money that is already available is left alone.
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
  const refundsOf = context.hasOwnRpc ? await onChain(context, party) : listed(context, party, account_id);
  for (const asset of assets) {
    const outcome: AvailableRefunds = { agent: handle, asset: asset.symbol, refunds: 0, amount: "0", tx_hashes: [] };
    let added = 0n;
    for (;;) {
      const refundsIn = await refundsOf(asset);
      if (!refundsIn) break;
      const ofRefunds = (funds: Funds) => ({ ...funds, credit: 0n, notes: refundsIn(funds) });
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

/** Returns the refunds in an agent's balance; null when there are certainly none. */
type RefundsOf = (asset: Asset) => Promise<((funds: Funds) => NoteOpening[]) | null>;

/**
 * Finds refunds by the ledger's events: a payment to the agent, by an account that it has paid, that is bound to what
 * it paid. A service that leaves some out keeps none from the agent.
 */
async function onChain(context: Context, { address }: Party): Promise<RefundsOf> {
  const [scope, chain, viewer] = await Promise.all([context.scope(), context.chain(), context.viewer()]);
  const { enrolledBlock } = await chain.account(address);
  const holder: Holder = { address, history: newHistory(), nextBlock: enrolledBlock };
  const bound = (by: Address, binding: Uint8Array) => `${by} ${toHex(binding)}`;
  return async (asset) => {
    await readOn(chain, scope, viewer.viewingKey.secret, holder);
    const entries = holder.history.entries.filter((entry) => entry.asset === asset.address);
    const paid = entries.flatMap(({ type, counterparty, commitment: note }) => {
      if (type !== "sent" || !counterparty || note === undefined) return [];
      return [bound(counterparty, refundBinding(scope, { account: counterparty, asset: asset.address, note }))];
    });
    const payments = new Set(paid);
    const refunds = entries.flatMap(({ type, counterparty, commitment, binding }) => {
      if (type !== "received" || !counterparty || !binding || !payments.has(bound(counterparty, binding))) return [];
      const held = holder.history.assets.get(asset.address)?.notes.get(commitment ?? 0n);
      return held?.opening && !held.spent ? [held.opening] : [];
    });
    return refunds.length > 0 ? () => refunds : null;
  };
}

/** Finds refunds by the service's list. A false entry could only name another note of the same agent. */
function listed(context: Context, party: Party, agent: string): RefundsOf {
  return async (asset) => {
    // Usually there are no notes, so skip reading the list of refunds.
    if ((await openFunds(context, party, asset)).notes.length === 0) return null;
    const refunds = await refundNotes(context, agent, asset.symbol);
    return ({ notes }) => notes.filter((note) => refunds.has(noteCommitment(note)));
  };
}

/** Returns the notes of an agent's refunds in the service's list. */
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
