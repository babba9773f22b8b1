import { and, desc, eq, inArray } from "drizzle-orm";
import type { Address, Hex } from "viem";
import type { Tx } from "@/db/client";
import { budgetStates, budgets, budgetWords } from "@/db/schema/ledger";
import { ApiError } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";
import { EMPTY_BUDGET_WORD } from "@/lib/ledger/crypto/commitments";

/** One budget: an account's available balance of one asset. Addresses in lower case. */
export interface BudgetId {
  chainId: ChainId;
  account: Address;
  asset: Address;
}

const at = ({ chainId, account, asset }: BudgetId) =>
  and(eq(budgets.chainId, chainId), eq(budgets.account, account), eq(budgets.asset, asset));

/**
 * Locks a budget until the transaction ends, so that payments and allocations of one account and asset run one after
 * the other. Callers that lock two budgets must do so in address order.
 *
 * @returns the balance lock of the owner's client, which may have expired, or null
 */
export async function lockBudget(tx: Tx, budgetId: BudgetId): Promise<{ token: string; until: Date } | null> {
  const held = { token: budgets.lockToken, until: budgets.lockUntil };
  let [row] = await tx.select(held).from(budgets).where(at(budgetId)).for("update");
  if (!row) {
    await tx.insert(budgets).values(budgetId).onConflictDoNothing();
    [row] = await tx.select(held).from(budgets).where(at(budgetId)).for("update");
  }
  return row?.token && row.until ? { token: row.token, until: row.until } : null;
}

/** Matches the states of a budget that have one of these statuses. */
export const statesAt = (
  { chainId, account, asset }: BudgetId,
  ...statuses: (typeof budgetStates.status.enumValues)[number][]
) =>
  and(
    eq(budgetStates.chainId, chainId),
    eq(budgetStates.account, account),
    eq(budgetStates.asset, asset),
    inArray(budgetStates.status, statuses),
  );

/** The state that the next payment spends from. `state` is null for the empty budget, whose opening is public. */
export interface NewestState {
  word: Hex;
  state: { sealed: Hex; flag: Hex; secretVersion: number } | null;
  syncRequired: boolean;
  /** The operations that create this state, until it is final. What builds on the state must use the same relayer. */
  madeBy: string[];
}

/** Returns the newest state, confirmed or not. Call it under the budget's lock before building on the result. */
export async function newestState(tx: Pick<Tx, "select">, budgetId: BudgetId): Promise<NewestState> {
  const { chainId, account, asset } = budgetId;
  const [state] = await tx
    .select({
      word: budgetStates.word,
      sealed: budgetStates.sealed,
      flag: budgetStates.flag,
      secretVersion: budgetStates.secretVersion,
      status: budgetStates.status,
      operationId: budgetStates.operationId,
    })
    .from(budgetStates)
    .where(statesAt(budgetId, "pending", "final"))
    .orderBy(desc(budgetStates.id))
    .limit(1);
  if (state) {
    const madeBy = state.status === "pending" && state.operationId ? [state.operationId] : [];
    return { word: state.word, state, syncRequired: false, madeBy };
  }
  const [final] = await tx
    .select({ word: budgetWords.word })
    .from(budgetWords)
    .where(and(eq(budgetWords.chainId, chainId), eq(budgetWords.account, account), eq(budgetWords.asset, asset)));
  const word = final?.word ?? EMPTY_BUDGET_WORD;
  return { word, state: null, syncRequired: word !== EMPTY_BUDGET_WORD, madeBy: [] };
}

/**
 * Returns the error for a budget whose final word is missing in the log: the owner changed it on chain without the
 * service.
 */
export function syncRequired(): ApiError {
  return new ApiError(
    "sync_required",
    "The available balance changed on chain without the service. Sync it: unlock the dashboard, or run `halcyon sync`. Then try again.",
  );
}
