import { and, eq, exists, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { availableStates, availableWords } from "@/db/schema/ledger";
import type { ChainId } from "@/lib/base/network";
import type { AvailableChange } from "./compare-states-with-index";
import { settleAvailableBalances } from "./settle-available-balances";

/** Compares the log of states with the rebuilt words. States that don't build on them can never become final. */
export async function failOrphanedStates(tx: Tx, chainId: ChainId): Promise<void> {
  const states = tx
    .select({ one: sql`1` })
    .from(availableStates)
    .where(
      and(eq(availableStates.chainId, availableWords.chainId), eq(availableStates.account, availableWords.account)),
    );
  const words = await tx
    .select({ account: availableWords.account, asset: availableWords.asset, word: availableWords.word })
    .from(availableWords)
    .where(and(eq(availableWords.chainId, chainId), exists(states)));
  const unchanged = words.map(({ account, asset, word }): AvailableChange => {
    return { account, asset, oldWord: word, newWord: word, txHash: "0x" };
  });
  await settleAvailableBalances(tx, chainId, unchanged);
}
