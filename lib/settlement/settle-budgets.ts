import { and, asc, eq, sql } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { anyOf } from "@/db/any-of";
import type { Tx } from "@/db/client";
import { budgetStates, budgetWords } from "@/db/schema/ledger";
import { type BudgetId, lockBudget } from "@/lib/budgets/lock";
import type { ChainId } from "@/lib/network";

/** A budget word that a final event put in place of another. */
export interface BudgetChange {
  account: Address;
  asset: Address;
  oldWord: Hex;
  newWord: Hex;
  txHash: Hex;
}

/** An operation that a final event carried out, no matter who sent the transaction. */
export interface CarriedOut {
  operationId: string;
  txHash: Hex;
}

interface StateRow {
  id: bigint;
  account: Hex;
  asset: Hex;
  oldWord: Hex;
  word: Hex;
  status: (typeof budgetStates.status.enumValues)[number];
  operationId: string | null;
}

/** What final words make of the states of one budget. */
interface Verdict {
  carriedOut: CarriedOut[];
  final: bigint | null;
  superseded: bigint[];
  /** The last state that became final before a commitment the log lacks. */
  past: bigint | null;
  /** Operations that can never become final, by these commitments. */
  doubtful: string[];
}

/** What a batch of final words settles. */
interface SettledBudgets {
  carriedOut: CarriedOut[];
  /** Operations to end once the ledger itself was asked. */
  doubtful: string[];
}

const nameOf = ({ account, asset }: { account: string; asset: string }) => `${account}/${asset}`;

function groupByBudget<T extends { account: string; asset: string }>(items: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(nameOf(item));
    if (group) group.push(item);
    else groups.set(nameOf(item), [item]);
  }
  return groups;
}

/**
 * Judges the states of one budget (oldest first) by its final words, in the order of the chain: the state of the last
 * word is final, those before it are superseded; a pending state that does not build on it can never come true. When
 * the log lacks the last word, the state before stays as `past`: an agent's counters are in it.
 */
export function judgeStates(states: readonly StateRow[], changes: readonly BudgetChange[]): Verdict {
  const hashOf = new Map(changes.map(({ newWord, txHash }) => [newWord, txHash]));
  const last = changes.at(-1)?.newWord;
  const final =
    states.find(({ word, status }) => word === last && status !== "void") ?? states.find(({ word }) => word === last);
  const reachable = new Set<Hex>(last ? [last] : []);
  const before = ancestorsOf(final, states);
  const cameTrue = states.filter(({ word, status }) => hashOf.has(word) || status === "final" || status === "past");
  const past = final ? null : (cameTrue.at(-1)?.id ?? null);
  const verdict: Verdict = { carriedOut: [], final: final?.id ?? null, superseded: [], past, doubtful: [] };
  for (const state of states) {
    const txHash = hashOf.get(state.word);
    if (txHash !== undefined) {
      if (state.operationId) verdict.carriedOut.push({ operationId: state.operationId, txHash });
      if (state.id !== final?.id && state.id !== past) verdict.superseded.push(state.id);
    } else if (before.has(state.id)) {
      // The final word was built on it, so it became final in a block whose event is not among these.
      if (state.operationId && state.status === "pending") verdict.doubtful.push(state.operationId);
      verdict.superseded.push(state.id);
    } else if (state.status === "pending" && final && state.id > final.id && reachable.has(state.oldWord)) {
      reachable.add(state.word);
    } else if (state.status === "pending") {
      if (state.operationId) verdict.doubtful.push(state.operationId);
    } else if (state.id !== past && (state.status !== "void" || (final && state.id < final.id))) {
      verdict.superseded.push(state.id);
    }
  }
  return verdict;
}

/** The states that the final one was built on, one on the other. */
function ancestorsOf(final: StateRow | undefined, states: readonly StateRow[]): Set<bigint> {
  const found = new Set<bigint>();
  let child = final;
  while (child) {
    const { id, oldWord }: StateRow = child;
    child = states.findLast((state) => state.word === oldWord && state.id < id && state.status !== "void");
    if (child) found.add(child.id);
  }
  return found;
}

/** Records the final words of a batch and settles the states they decide. */
export async function settleBudgets(
  tx: Tx,
  chainId: ChainId,
  changes: readonly BudgetChange[],
): Promise<SettledBudgets> {
  const doubtful: string[] = [];
  if (changes.length === 0) return { carriedOut: [], doubtful };
  const byBudget = groupByBudget(changes);
  await recordWords(tx, chainId, changes);
  const rows = await readStates(tx, chainId, [...new Set(changes.map(({ account }) => account))]);
  const statesOf = groupByBudget(rows);
  const carriedOut: CarriedOut[] = [];
  const finals: bigint[] = [];
  const superseded: bigint[] = [];
  const past: bigint[] = [];
  for (const [name, list] of [...byBudget].sort(([a], [b]) => (a < b ? -1 : 1))) {
    let verdict = judgeStates(statesOf.get(name) ?? [], list);
    const first = list[0];
    if (first && (verdict.final === null || verdict.doubtful.length > 0)) {
      // No payment may build on what is over meanwhile, so look again under the lock.
      const budgetId: BudgetId = { chainId, account: first.account, asset: first.asset };
      await lockBudget(tx, budgetId);
      const again = (await readStates(tx, chainId, [first.account])).filter((row) => nameOf(row) === name);
      verdict = judgeStates(again, list);
    }
    doubtful.push(...verdict.doubtful);
    carriedOut.push(...verdict.carriedOut);
    superseded.push(...verdict.superseded);
    if (verdict.final !== null) finals.push(verdict.final);
    if (verdict.past !== null) past.push(verdict.past);
  }
  if (superseded.length > 0) await tx.delete(budgetStates).where(anyOf(budgetStates.id, superseded));
  if (finals.length > 0) {
    await tx.update(budgetStates).set({ status: "final" }).where(anyOf(budgetStates.id, finals));
  }
  if (past.length > 0) await tx.update(budgetStates).set({ status: "past" }).where(anyOf(budgetStates.id, past));
  return { carriedOut, doubtful };
}

/** Stores the newest of these words for each budget. */
export async function recordWords(tx: Tx, chainId: ChainId, changes: readonly BudgetChange[]): Promise<void> {
  const newest = new Map(changes.map((change) => [nameOf(change), change]));
  if (newest.size === 0) return;
  await tx
    .insert(budgetWords)
    .values([...newest.values()].map(({ account, asset, newWord }) => ({ chainId, account, asset, word: newWord })))
    .onConflictDoUpdate({
      target: [budgetWords.chainId, budgetWords.account, budgetWords.asset],
      set: { word: sql`excluded.word` },
    });
}

function readStates(tx: Tx, chainId: ChainId, accounts: Address[]): Promise<StateRow[]> {
  return tx
    .select({
      id: budgetStates.id,
      account: budgetStates.account,
      asset: budgetStates.asset,
      oldWord: budgetStates.oldWord,
      word: budgetStates.word,
      status: budgetStates.status,
      operationId: budgetStates.operationId,
    })
    .from(budgetStates)
    .where(and(eq(budgetStates.chainId, chainId), anyOf(budgetStates.account, accounts)))
    .orderBy(asc(budgetStates.id));
}
