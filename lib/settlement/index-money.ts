import { and, eq, sql } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { anyOf } from "@/db/any-of";
import type { Tx } from "@/db/client";
import { insertRows } from "@/db/insert-rows";
import { depositedBalances, notes } from "@/db/schema/ledger";
import type { ChainId } from "@/lib/base/network";
import { EMPTY_NOTE_HEX } from "@/lib/ledger/crypto/commitments";
import { commitmentToHex } from "@/lib/ledger/crypto/field";
import type { LedgerEvent } from "@/lib/ledger/ledger-events";

/** Indexes deposited money: deposits minus what moves to the available balance used. */
export async function indexDepositedBalances(tx: Tx, chainId: ChainId, events: readonly LedgerEvent[]): Promise<void> {
  const changes = new Map<string, { account: Address; asset: Address; units: bigint }>();
  const add = (account: Address, asset: Address, units: bigint) => {
    const key = `${account}/${asset}`;
    changes.set(key, { account, asset, units: (changes.get(key)?.units ?? 0n) + units });
  };
  for (const event of events) {
    if (event.eventName === "Deposited") add(event.args.account, event.args.asset, event.args.units);
    if (event.eventName === "MadeAvailable") add(event.args.account, event.args.asset, -event.args.deposited);
  }
  for (const { account, asset, units } of changes.values()) {
    await tx
      .insert(depositedBalances)
      .values({ chainId, account, asset, units })
      .onConflictDoUpdate({
        target: [depositedBalances.chainId, depositedBalances.account, depositedBalances.asset],
        set: { units: sql`${depositedBalances.units} + excluded.units` },
      });
  }
}

/**
 * Indexes notes: adds those made by payments and change, then marks those that moves to the available balance spend,
 * for good.
 */
export async function indexNotes(tx: Tx, chainId: ChainId, events: readonly LedgerEvent[]): Promise<void> {
  const opened = events.flatMap((event): (typeof notes.$inferInsert)[] => {
    const where = { chainId, blockNumber: event.blockNumber, logIndex: event.logIndex, txHash: event.transactionHash };
    if (event.eventName === "Transferred" || event.eventName === "Paid") {
      const { account, to, asset, note, recipientCiphertext } = event.args;
      const commitment = commitmentToHex(note);
      return [
        {
          ...where,
          account: to,
          asset,
          note: commitment,
          source: "transfer",
          sender: account,
          ciphertext: recipientCiphertext,
        },
      ];
    }
    if (event.eventName === "MadeAvailable") {
      const { account, asset, changeNote, newAvailable, ciphertext } = event.args;
      const note = commitmentToHex(changeNote);
      if (note === EMPTY_NOTE_HEX) return [];
      return [
        {
          ...where,
          account,
          asset,
          note,
          source: "change",
          sender: account,
          ciphertext,
          newAvailable: commitmentToHex(newAvailable),
        },
      ];
    }
    return [];
  });
  if (opened.length > 0) await tx.execute(insertRows(notes, opened));
  for (const event of events) {
    if (event.eventName !== "MadeAvailable") continue;
    const spent = event.args.notes.map(commitmentToHex).filter((note): note is Hex => note !== EMPTY_NOTE_HEX);
    if (spent.length === 0) continue;
    const { account, asset } = event.args;
    await tx
      .update(notes)
      .set({ spent: true })
      .where(
        and(eq(notes.chainId, chainId), eq(notes.account, account), eq(notes.asset, asset), anyOf(notes.note, spent)),
      );
  }
}
