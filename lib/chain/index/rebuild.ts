import { and, eq, inArray, isNotNull } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { ledgerAccounts } from "@/db/schema/accounts";
import { budgetStates, budgetWords, credits, notes } from "@/db/schema/ledger";
import { type BudgetChange, recordWords, settleBudgets } from "@/lib/budgets/settle-budgets";
import type { ChainId } from "@/lib/network";
import { chainEnv } from "../clients";
import { readLedgerEvents } from "../ledger-events";
import { indexAccounts } from "./accounts";
import { budgetChanges } from "./apply";
import { type BlockMark, writeCursor } from "./cursor";
import { indexCredits, indexNotes } from "./money";
import { RANGE } from "./range";

/**
 * Rebuilds everything the index holds of a chain from its events up to `until`: records, credit, notes and words.
 * Sealed states, operations and transfers stay. The caller holds the chain's index lock.
 *
 * @param onProgress told how many events each range had
 */
export async function rebuildIndex(
  tx: Tx,
  chainId: ChainId,
  until: BlockMark,
  onProgress: (block: bigint, events: number) => void = () => {},
): Promise<void> {
  await tx.delete(notes).where(eq(notes.chainId, chainId));
  await tx.delete(credits).where(eq(credits.chainId, chainId));
  await tx.delete(budgetWords).where(eq(budgetWords.chainId, chainId));
  // Records without a block are pending enrolments: not the chain's yet.
  await tx
    .delete(ledgerAccounts)
    .where(and(eq(ledgerAccounts.chainId, chainId), isNotNull(ledgerAccounts.enrolledBlock)));
  for (let from = chainEnv(chainId).ledgerBlock; from <= until.number; from += RANGE) {
    const to = from + RANGE - 1n < until.number ? from + RANGE - 1n : until.number;
    const events = await readLedgerEvents(chainId, from, to);
    await indexAccounts(tx, chainId, events);
    await indexCredits(tx, chainId, events);
    await indexNotes(tx, chainId, events);
    await recordWords(tx, chainId, budgetChanges(events));
    onProgress(to, events.length);
  }
  await writeCursor(tx, chainId, until);
  await judgeAgain(tx, chainId);
}

/** Holds the log of states against the rebuilt words: what does not build on them can never come true. */
async function judgeAgain(tx: Tx, chainId: ChainId): Promise<void> {
  const accounts = await tx
    .selectDistinct({ account: budgetStates.account })
    .from(budgetStates)
    .where(eq(budgetStates.chainId, chainId));
  if (accounts.length === 0) return;
  const words = await tx
    .select({ account: budgetWords.account, asset: budgetWords.asset, word: budgetWords.word })
    .from(budgetWords)
    .where(
      and(
        eq(budgetWords.chainId, chainId),
        inArray(
          budgetWords.account,
          accounts.map(({ account }) => account),
        ),
      ),
    );
  const unchanged = words.map(({ account, asset, word }): BudgetChange => {
    return { account, asset, oldWord: word, newWord: word, txHash: "0x" };
  });
  await settleBudgets(tx, chainId, unchanged, new Date());
}
