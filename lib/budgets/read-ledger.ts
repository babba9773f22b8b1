import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { budgetStates, budgetWords } from "@/db/schema/ledger";
import { assetBySymbol } from "@/lib/assets";
import type { SessionContext } from "@/lib/context/context";
import { EMPTY_BUDGET_WORD } from "@/lib/ledger/crypto/commitments";
import { availableCredit, availableNotes, nextNonce, readReserved } from "./available";
import { newestState, statesAt } from "./lock";
import type { BudgetInput } from "./schema";
import { tagsWanted } from "./tags-wanted";

const NOTES_AT_ONCE = 500;

/**
 * What the owner's client needs to allocate: nonce, free credit, open notes with their ciphertexts, and the newest
 * budget state. Everything but the public credit is sealed.
 */
export async function readLedger(ctx: SessionContext, input: BudgetInput) {
  const asset = assetBySymbol(ctx.chainId, input.asset);
  const budgetId = { chainId: ctx.chainId, account: ctx.account.address, asset: asset.address };
  // One snapshot of several tables.
  const config = { isolationLevel: "repeatable read", accessMode: "read only" } as const;
  return db().transaction(async (tx) => {
    const reserved = await readReserved(tx, budgetId);
    const credit = await availableCredit(tx, budgetId, reserved);
    const notes = await availableNotes(tx, budgetId, reserved, { limit: NOTES_AT_ONCE + 1 });
    const newest = await newestState(tx, budgetId);
    // What was true before the owner acted alone: a client that re-seals carries an agent's counters forward from it.
    const [past] = newest.resealRequired
      ? await tx
          .select({ word: budgetStates.word, sealed: budgetStates.sealed })
          .from(budgetStates)
          .where(statesAt(budgetId, "past"))
      : [];
    const [final] = await tx
      .select({ word: budgetWords.word })
      .from(budgetWords)
      .where(
        and(
          eq(budgetWords.chainId, budgetId.chainId),
          eq(budgetWords.account, budgetId.account),
          eq(budgetWords.asset, budgetId.asset),
        ),
      );
    return {
      account: budgetId.account,
      asset: asset.symbol,
      asset_address: asset.address,
      nonce: (await nextNonce(tx, budgetId)).toString(),
      credit: credit.toString(),
      budget: {
        word: final?.word ?? EMPTY_BUDGET_WORD,
        newest_word: newest.word,
        sealed: newest.state?.sealed ?? null,
        flag: newest.state?.flag ?? null,
        secret_version: newest.state?.secretVersion ?? null,
        reseal_required: newest.resealRequired,
        past: past ?? null,
      },
      notes: notes.slice(0, NOTES_AT_ONCE).map((note) => ({
        note: note.note,
        source: note.source,
        sender: note.sender,
        ciphertext: note.ciphertext,
        new_budget: note.newBudget,
        block: note.blockNumber.toString(),
        tx_hash: note.txHash,
      })),
      has_more: notes.length > NOTES_AT_ONCE,
      request_tags_wanted: await tagsWanted(tx, ctx),
    };
  }, config);
}
