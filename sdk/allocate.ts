import type { Hex } from "viem";
import { completePlan } from "@/lib/ledger/plan";
import { planAllocation } from "@/lib/ledger/prepare-allocation";
import { type Decimals, parseAmount } from "@/lib/money";
import { type AllocationGoal, type AllocationStep, allocationStep, goalAfter } from "./allocation-step";
import type { Operation } from "./api-types";
import type { AttemptOptions } from "./attempt-options";
import { underLease } from "./budget-lease";
import type { Context } from "./context";
import { HalcyonError } from "./errors";
import { type Funds, openFunds } from "./funds";
import type { Asset } from "./network-info";
import { confirmed } from "./operation";
import { type Party, partyOf } from "./party";

/** What to allocate, and for whom. */
export interface AllocateInput extends AttemptOptions {
  /** Decimal string: how much more budget. All credit and notes when left out. */
  amount?: string;
  /** Decimal string, `0` as well: what the budget shall be, also less than now. In place of `amount`. */
  budget?: string;
  /** `USDG` when left out. */
  asset?: string;
  /** Handle of an agent of the account: allocates what the agent received. */
  agent?: string;
}

/** What an allocation did. */
export interface AllocateResult {
  tx_hashes: Hex[];
  /** How many notes went in. */
  notes: number;
}

function goalOf({ amount, budget }: AllocateInput, decimals: Decimals): AllocationGoal {
  if (budget === undefined) return { add: amount === undefined ? undefined : parseAmount(amount, decimals) };
  if (amount === undefined) return { budget: budget === "0" ? 0n : parseAmount(budget, decimals) };
  throw new HalcyonError("invalid_request", "Say how much to add or what the budget shall be, not both.");
}

function refuseShortage(funds: Funds, goal: AllocationGoal): void {
  const wanted = "budget" in goal ? goal.budget - funds.budget.limit : (goal.add ?? 0n);
  const total = funds.notes.reduce((sum, note) => sum + note.amount, funds.credit);
  if (total >= wanted || funds.view.has_more) return;
  throw new HalcyonError(
    "insufficient_balance",
    "Credit and notes do not cover this amount. Allocate less, or deposit more first.",
  );
}

/** What one allocation did: the step, and the budget it started from. */
interface Allocated {
  operation: Operation;
  step: AllocationStep;
  before: bigint;
}

/** One allocation: up to 8 notes and the credit. Returns null when there is none to make. */
export async function allocateOnce(
  context: Context,
  party: Party,
  asset: Asset,
  choose: (funds: Funds) => AllocationStep | null,
): Promise<Allocated | null> {
  const [session, scope, vault, chain] = await Promise.all([
    context.session(),
    context.scope(),
    context.vault(),
    context.chain(),
  ]);
  return underLease(context, party, asset, async (leaseToken) => {
    const funds = await openFunds(context, party, asset);
    const step = choose(funds);
    if (!step) return null;
    const plan = await planAllocation({
      scope,
      account: party.address,
      asset: asset.address,
      budget: funds.budget,
      notes: step.notes,
      credit: step.credit,
      newLimit: step.newLimit,
      nonce: BigInt(funds.view.nonce),
      deadline: await chain.deadline(),
      payerViewingKey: vault.viewingKey.publicKey,
      secret: party.secret,
    });
    const prove = await context.prover();
    const prepared = await completePlan(plan, prove, context.signer());
    const body = { prepared, ...(leaseToken && { lease_token: leaseToken }) };
    const operation = await session.post<Operation>("/api/allocations", body, party.query);
    return { operation, step, before: funds.budget.limit };
  });
}

/**
 * Moves credit and received notes of the account, or of an agent, into the budget that API keys may spend; repeats where
 * more than 8 notes are needed. Proven here and signed by the wallet; what is left over comes back as a note, and so does
 * what a smaller `budget` no longer holds.
 *
 * @example
 * await halcyon.allocate(); // { tx_hashes: ["0x…"], notes: 3 }
 * await halcyon.allocate({ budget: "20" }); // { tx_hashes: ["0x…"], notes: 0 }
 * @throws HalcyonError `insufficient_balance` when credit and notes do not cover the amount
 */
export async function allocate(context: Context, input: AllocateInput = {}): Promise<AllocateResult> {
  const [asset, party] = await Promise.all([context.asset(input.asset), partyOf(context, input.agent)]);
  let goal = goalOf(input, asset.decimals);
  const result: AllocateResult = { tx_hashes: [], notes: 0 };
  for (;;) {
    const now = goal;
    const allocated = await allocateOnce(context, party, asset, (funds) => {
      refuseShortage(funds, now);
      return allocationStep(funds, now);
    });
    if (!allocated) return result;
    const { tx_hash } = await confirmed(context, allocated.operation, "The allocation");
    result.tx_hashes.push(tx_hash);
    result.notes += allocated.step.notes.length;
    goal = goalAfter(goal, allocated.before, allocated.step);
  }
}
