import type { Hex } from "viem";
import { completePlan } from "@/lib/ledger/plan";
import { planAllocation } from "@/lib/ledger/prepare-allocation";
import { parseAmount } from "@/lib/money";
import type { Operation } from "./api-types";
import { underLease } from "./budget-lease";
import type { Context } from "./context";
import { HalcyonError } from "./errors";
import { type Funds, openFunds } from "./funds";
import type { Asset } from "./network-info";
import { confirmed } from "./operation";
import { type Party, partyOf } from "./party";
import { selectNotes } from "./select-notes";

export interface AllocateInput {
  /** Decimal string; all credit and notes when left out. */
  amount?: string;
  /** `USDG` when left out. */
  asset?: string;
  /** Handle of an agent of the account: allocates what the agent received. */
  agent?: string;
}

export interface AllocateResult {
  tx_hashes: Hex[];
  /** How many notes went in. */
  notes: number;
}

function refuseShortage(funds: Funds, wanted: bigint): void {
  const total = funds.notes.reduce((sum, note) => sum + note.amount, funds.credit);
  if (total >= wanted || funds.view.has_more) return;
  throw new HalcyonError(
    "insufficient_balance",
    "Credit and notes do not cover this amount. Allocate less, or deposit more first.",
  );
}

/** One allocation: up to 8 notes and the credit. Returns null when nothing is left to allocate. */
async function allocateOnce(context: Context, party: Party, asset: Asset, wanted?: bigint) {
  const [session, scope, vault, chain] = await Promise.all([
    context.session(),
    context.scope(),
    context.vault(),
    context.chain(),
  ]);
  return underLease(context, party, asset, async (leaseToken) => {
    const funds = await openFunds(context, party, asset);
    if (wanted !== undefined) refuseShortage(funds, wanted);
    const selection = selectNotes(funds.notes, funds.credit, funds.budget.limit, wanted);
    if (!selection) return null;
    const plan = await planAllocation({
      scope,
      account: party.address,
      asset: asset.address,
      budget: funds.budget,
      notes: selection.notes,
      credit: selection.credit,
      newLimit: funds.budget.limit + selection.added,
      nonce: BigInt(funds.view.nonce),
      deadline: await chain.deadline(),
      payerViewingKey: vault.viewingKey.publicKey,
      secret: party.secret,
    });
    const prove = await context.prover();
    const prepared = await completePlan(plan, prove, context.signer());
    const body = { prepared, ...(leaseToken && { lease_token: leaseToken }) };
    const operation = await session.post<Operation>("/api/allocations", body, party.query);
    return { operation, added: selection.added, notes: selection.notes.length };
  });
}

/**
 * Moves credit and received notes of the account, or of an agent, into the budget that API keys may spend; repeats where more than 8 notes are needed.
 * Proven here and signed by the wallet; what is left over comes back as a note.
 *
 * @example
 * await halcyon.allocate(); // { tx_hashes: ["0x…"], notes: 3 }
 * @throws HalcyonError `insufficient_balance` when credit and notes do not cover the amount
 */
export async function allocate(context: Context, input: AllocateInput = {}): Promise<AllocateResult> {
  const [asset, party] = await Promise.all([context.asset(input.asset), partyOf(context, input.agent)]);
  let wanted = input.amount === undefined ? undefined : parseAmount(input.amount, asset.decimals);
  const result: AllocateResult = { tx_hashes: [], notes: 0 };
  while (wanted === undefined || wanted > 0n) {
    const allocated = await allocateOnce(context, party, asset, wanted);
    if (!allocated) break;
    const { tx_hash } = await confirmed(context, allocated.operation, "The allocation");
    result.tx_hashes.push(tx_hash);
    result.notes += allocated.notes;
    if (wanted !== undefined) wanted -= allocated.added;
  }
  return result;
}
