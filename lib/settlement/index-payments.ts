import type { Tx } from "@/db/client";
import { insertRows } from "@/db/insert-rows";
import { ledgerPayments } from "@/db/schema/ledger";
import type { LedgerEvent } from "@/lib/chain/ledger-events";
import { wordToHex } from "@/lib/ledger/crypto/field";
import type { ChainId } from "@/lib/network";

type PaymentRow = typeof ledgerPayments.$inferInsert;

/** A payment as its event shows it, to be known by the word it leaves in the payer's budget; null for other events. */
export function paymentOf(chainId: ChainId, event: LedgerEvent): PaymentRow | null {
  const where = {
    chainId,
    blockNumber: event.blockNumber,
    logIndex: event.logIndex,
    txHash: event.transactionHash,
  };
  switch (event.eventName) {
    case "Transferred":
    case "Released": {
      const { account: payer, asset, newBudget } = event.args;
      const kind = event.eventName === "Transferred" ? "transfer" : "release";
      return { ...where, kind, payer, asset, newWord: wordToHex(newBudget) };
    }
    case "Funded": {
      const { from: payer, asset, fromNewBudget } = event.args;
      return { ...where, kind: "fund", payer, asset, newWord: wordToHex(fromNewBudget) };
    }
    case "Enrolled":
    case "SpenderSet":
    case "AgentEnrolled":
    case "Abandoned":
    case "Deposited":
    case "Allocated":
      return null;
  }
}

/** Indexes the payments of final blocks, no matter who sent them. */
export async function indexPayments(tx: Tx, chainId: ChainId, events: readonly LedgerEvent[]): Promise<void> {
  const rows = events.flatMap((event) => paymentOf(chainId, event) ?? []);
  if (rows.length > 0) await tx.execute(insertRows(ledgerPayments, rows));
}
