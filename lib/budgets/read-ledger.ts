import { and, eq, inArray, ne } from "drizzle-orm";
import { union } from "drizzle-orm/pg-core";
import type { Address } from "viem";
import { db, type Tx } from "@/db/client";
import { budgetStates, budgetWords, credits, notes } from "@/db/schema/ledger";
import { assetBySymbol, assetsOf } from "@/lib/assets";
import type { SessionContext } from "@/lib/context/context";
import { EMPTY_BUDGET_WORD } from "@/lib/ledger/crypto/commitments";
import type { ChainId } from "@/lib/network";
import { availableCredit, availableNotes, nextNonce, readReserved } from "./available";
import { type BudgetId, newestState, statesAt } from "./lock";
import type { BudgetInput } from "./schema";
import { tagsWanted } from "./tags-wanted";

const NOTES_AT_ONCE = 500;
/** Of all that is read at once; each budget has its part, and what is over it is read with that budget alone. */
const NOTES_OF_ALL = 5_000;
/** One snapshot of several tables. */
const SNAPSHOT = { isolationLevel: "repeatable read", accessMode: "read only" } as const;

/** What the owner's client needs of one budget; everything but the public credit is sealed. */
async function ledgerIn(tx: Tx, budgetId: BudgetId, symbol: string, most = NOTES_AT_ONCE) {
  const reserved = await readReserved(tx, budgetId);
  const credit = await availableCredit(tx, budgetId, reserved);
  const open = await availableNotes(tx, budgetId, reserved, { limit: most + 1 });
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
    asset: symbol,
    asset_address: budgetId.asset,
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
    notes: open.slice(0, most).map((note) => ({
      note: note.note,
      source: note.source,
      sender: note.sender,
      ciphertext: note.ciphertext,
      new_budget: note.newBudget,
      block: note.blockNumber.toString(),
      tx_hash: note.txHash,
    })),
    has_more: open.length > most,
  };
}

/**
 * What the owner's client needs to allocate: nonce, free credit, open notes with their ciphertexts, and the newest
 * budget state. Everything but the public credit is sealed.
 */
export async function readLedger(ctx: SessionContext, input: BudgetInput) {
  const asset = assetBySymbol(ctx.chainId, input.asset);
  const budgetId = { chainId: ctx.chainId, account: ctx.account.address, asset: asset.address };
  return db().transaction(async (tx) => {
    const ledger = await ledgerIn(tx, budgetId, asset.symbol);
    return { ...ledger, request_tags_wanted: await tagsWanted(tx, ctx) };
  }, SNAPSHOT);
}

/** The budgets of some accounts that have had anything: all others are empty. */
async function budgetsInUse(tx: Tx, chainId: ChainId, accounts: Address[]) {
  const word = { account: budgetWords.account, asset: budgetWords.asset };
  const state = { account: budgetStates.account, asset: budgetStates.asset };
  const credit = { account: credits.account, asset: credits.asset };
  const note = { account: notes.account, asset: notes.asset };
  return union(
    tx
      .select(word)
      .from(budgetWords)
      .where(and(eq(budgetWords.chainId, chainId), inArray(budgetWords.account, accounts))),
    tx
      .select(state)
      .from(budgetStates)
      .where(
        and(
          eq(budgetStates.chainId, chainId),
          inArray(budgetStates.account, accounts),
          inArray(budgetStates.status, ["pending", "final"]),
        ),
      ),
    tx
      .select(credit)
      .from(credits)
      .where(and(eq(credits.chainId, chainId), inArray(credits.account, accounts), ne(credits.units, 0n))),
    tx
      .select(note)
      .from(notes)
      .where(and(eq(notes.chainId, chainId), inArray(notes.account, accounts), eq(notes.spent, false))),
  );
}

/**
 * As {@link readLedger}, of several accounts in every asset, in one snapshot. A budget that has never had anything is left
 * out.
 *
 * @param accounts the caller's own and its agents', for nothing is checked here
 */
export async function readLedgersOf(ctx: SessionContext, accounts: Address[]) {
  const symbols = new Map(assetsOf(ctx.chainId).map(({ address, symbol }) => [address, symbol]));
  return db().transaction(async (tx) => {
    const inUse = await budgetsInUse(tx, ctx.chainId, accounts);
    const most = Math.min(NOTES_AT_ONCE, Math.ceil(NOTES_OF_ALL / inUse.length));
    // One connection takes them all at once: nothing waits for the response to the one before.
    const ledgers = inUse.map(({ account, asset }) => {
      const symbol = symbols.get(asset);
      return symbol === undefined ? [] : [ledgerIn(tx, { chainId: ctx.chainId, account, asset }, symbol, most)];
    });
    return { ledgers: await Promise.all(ledgers.flat()), request_tags_wanted: await tagsWanted(tx, ctx) };
  }, SNAPSHOT);
}
