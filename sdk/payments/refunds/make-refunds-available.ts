import type { Address, Hex } from "viem";
import { formatAmount } from "@/lib/base/money";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { noteCommitment } from "@/lib/ledger/crypto/commitments";
import { refundBinding } from "@/lib/ledger/crypto/refund-binding";
import { agentRefunds } from "../../account/agent-refunds";
import { listAgents } from "../../account/agents";
import type { Funds } from "../../account/funds/funds";
import { partyOf } from "../../account/party";
import { HalcyonError } from "../../api/errors";
import { partlyDone } from "../../api/partly-done";
import type { Agent } from "../../api/resources/agents";
import { type Holder, readOn, unread } from "../../chain/recover-scan";
import type { Context } from "../../context/context";
import type { Vault } from "../../context/vault/vault";
import { makeAvailableOnce, makeAvailableSettled } from "../funding/make-available";
import { makeAvailableStep } from "../funding/make-available-step";

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

/**
 * Makes refunds that agents received available to them again, for every agent whose refunds go to itself. Leaves other
 * payments to an agent as they are. The ledger's events say which payments were refunds. Safe to repeat: money that is
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
async function ofAgent(context: Context, { handle }: Agent, done: AvailableRefunds[]): Promise<void> {
  const [party, { assets }] = await Promise.all([partyOf(context, handle), context.info()]);
  for (const asset of assets) {
    const outcome: AvailableRefunds = { agent: handle, asset: asset.symbol, refunds: 0, amount: "0", tx_hashes: [] };
    let added = 0n;
    for (;;) {
      const refunds = await refundNotes(context, party.address, asset.address);
      const step = (funds: Funds) => {
        const notes = funds.notes.filter((note) => refunds.has(noteCommitment(note)));
        if (notes.length === 0) throw new HalcyonError("unavailable", "The service does not list a refund yet.");
        return makeAvailableStep({ ...funds, deposited: 0n, notes }, {});
      };
      const madeAvailable = refunds.size > 0 && (await makeAvailableOnce(context, party, asset, step));
      if (!madeAvailable) break;
      outcome.tx_hashes.push(await makeAvailableSettled(context, madeAvailable));
      outcome.refunds += madeAvailable.step?.notes.length ?? 0;
      added += madeAvailable.step?.added ?? 0n;
      outcome.amount = formatAmount(added, asset.decimals);
      if (outcome.tx_hashes.length === 1) done.push(outcome);
    }
  }
}

/** What was read of each agent: with `--watch`, a client looks every half minute, and reads each block once. */
const read = new WeakMap<Vault, Map<Address, Holder>>();

/**
 * Returns the unspent notes of the refunds that an agent received, by the ledger's final events: payments, by accounts
 * that it has paid, that are bound to what it paid. A service that leaves some out keeps none from the agent.
 */
async function refundNotes(context: Context, address: Address, asset: Address): Promise<ReadonlySet<bigint>> {
  const [scope, chain, vault, { finality }] = await Promise.all([
    context.scope(),
    context.chain(),
    context.vault(),
    context.info(),
  ]);
  const holders = read.get(vault) ?? new Map<Address, Holder>();
  read.set(vault, holders);
  const holder = holders.get(address) ?? unread(address, (await chain.account(address)).enrolledBlock);
  // Until it is read to the end, another call begins from the start.
  holders.delete(address);
  const { number } = await chain.client.getBlock({ blockTag: finality });
  await readOn(chain, scope, vault.viewingKey.secret, holder, number);
  holders.set(address, holder);
  const { entries, assets } = holder.history;
  const paid = new Map<string, Address>();
  for (const { type, asset, counterparty: account, commitment: note } of entries) {
    if (type === "sent" && account && note) paid.set(toHex(refundBinding(scope, { account, asset, note })), account);
  }
  const held = assets.get(asset)?.notes;
  const refunds = entries.flatMap(({ counterparty, commitment, binding }) => {
    if (!binding || paid.get(toHex(binding)) !== counterparty) return [];
    const note = held?.get(commitment ?? 0n);
    return note && !note.spent ? [note.note] : [];
  });
  return new Set(refunds);
}
