import { and, eq } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { db } from "@/db/client";
import { ledgerAccounts } from "@/db/schema/accounts";
import type { operations } from "@/db/schema/chain";
import { budgetStates, budgetWords } from "@/db/schema/ledger";
import { transfers } from "@/db/schema/transfers";
import { EMPTY_BUDGET_WORD } from "@/lib/ledger/crypto/commitments";
import { wordToHex } from "@/lib/ledger/crypto/field";
import type { ChainId } from "@/lib/network";
import { ledgerAbi } from "../abi/ledger";
import { chainEnv } from "../clients";
import type { BlockMark } from "../index/cursor";
import { askForDeposit } from "./ask-for-deposit";
import { callAt } from "./call-at";
import type { Finding } from "./finding";
import { ownSuccess } from "./own-receipt";

export type AskedOperation = Pick<typeof operations.$inferSelect, "id" | "kind" | "account" | "data">;

/**
 * Asks the chain what became of an operation: its own transactions' receipts, then what the ledger holds at the block
 * up to which everything is indexed. What a lagging node cannot know it refuses (blocks are named by hash).
 */
export async function askLedger(chainId: ChainId, operation: AskedOperation, at: BlockMark): Promise<Finding> {
  const own = await ownSuccess(chainId, operation.id);
  const onLedger = operation.kind !== "mint" && operation.kind !== "gas";
  if (own && (own.events.length > 0 || !onLedger)) {
    // What lies beyond is not final, or not indexed: it will be.
    return own.blockNumber <= at.number ? { outcome: "executed", ...own } : { outcome: "unsure" };
  }
  switch (operation.kind) {
    case "transfer":
    case "release":
    case "fund":
    case "allocate":
      return askBudgets(chainId, operation, at);
    case "deposit":
      return askForDeposit(chainId, operation.data, at);
    case "enroll":
    case "enroll_agent":
    case "set_spender":
    case "abandon":
      return askRecord(chainId, operation.account, at);
    case "mint":
    case "gas":
      return { outcome: "never" };
  }
}

/** The budgets that the operation changes, and the note it opens, at a block. */
async function askBudgets(
  chainId: ChainId,
  { id: operationId, account: payer }: AskedOperation,
  at: BlockMark,
): Promise<Finding> {
  const { ledger } = chainEnv(chainId);
  const [states, [payment]] = await Promise.all([
    db()
      .select({ account: budgetStates.account, asset: budgetStates.asset, word: budgetStates.word })
      .from(budgetStates)
      .where(eq(budgetStates.operationId, operationId)),
    db()
      .select({
        to: transfers.recipientAddress,
        asset: transfers.asset,
        note: transfers.note,
        word: transfers.newWord,
      })
      .from(transfers)
      .where(eq(transfers.operationId, operationId)),
  ]);
  if (payment?.note) {
    const args = [payment.to, payment.asset, BigInt(payment.note)];
    const status = await callAt<number>(chainId, at.hash, ledger, ledgerAbi, "noteStatus", args);
    if (status !== 0) return { outcome: "missed" };
  }
  const paid = payment ? [{ account: payer, asset: payment.asset, word: payment.word }] : [];
  for (const { account, asset, word } of [...states, ...paid]) {
    const held = wordToHex(await callAt<bigint>(chainId, at.hash, ledger, ledgerAbi, "budgetOf", [account, asset]));
    if (held === word || held !== (await indexedWord(chainId, account, asset))) return { outcome: "missed" };
  }
  return { outcome: "never" };
}

async function indexedWord(chainId: ChainId, account: Hex, asset: Hex): Promise<Hex> {
  const [row] = await db()
    .select({ word: budgetWords.word })
    .from(budgetWords)
    .where(and(eq(budgetWords.chainId, chainId), eq(budgetWords.account, account), eq(budgetWords.asset, asset)));
  return row?.word ?? EMPTY_BUDGET_WORD;
}

/** An account's record at a block: the index must have the same, or it lacks an event. */
async function askRecord(chainId: ChainId, account: Address, at: BlockMark): Promise<Finding> {
  const { ledger } = chainEnv(chainId);
  const record = await callAt<readonly unknown[]>(chainId, at.hash, ledger, ledgerAbi, "account", [account]);
  const [, , , , nonce, enrolledBlock] = record as [Hex, Address, bigint, Address, bigint, bigint];
  const [row] = await db()
    .select({ nonce: ledgerAccounts.nonce, enrolledBlock: ledgerAccounts.enrolledBlock })
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.chainId, chainId), eq(ledgerAccounts.address, account)));
  const indexed = row !== undefined && row.enrolledBlock !== null;
  const same = enrolledBlock > 0n === indexed && (!indexed || row.nonce === nonce);
  return { outcome: same ? "never" : "missed" };
}
