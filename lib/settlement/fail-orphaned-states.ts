import { and, eq, exists, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { budgetStates, budgetWords } from "@/db/schema/ledger";
import type { ChainId } from "@/lib/base/network";
import type { BudgetChange } from "./judge-states";
import { settleBudgets } from "./settle-budgets";

/** Compares the log of states with the rebuilt words. States that don't build on them can never become final. */
export async function failOrphanedStates(tx: Tx, chainId: ChainId): Promise<void> {
  const states = tx
    .select({ one: sql`1` })
    .from(budgetStates)
    .where(and(eq(budgetStates.chainId, budgetWords.chainId), eq(budgetStates.account, budgetWords.account)));
  const words = await tx
    .select({ account: budgetWords.account, asset: budgetWords.asset, word: budgetWords.word })
    .from(budgetWords)
    .where(and(eq(budgetWords.chainId, chainId), exists(states)));
  const unchanged = words.map(({ account, asset, word }): BudgetChange => {
    return { account, asset, oldWord: word, newWord: word, txHash: "0x" };
  });
  await settleBudgets(tx, chainId, unchanged);
}
