import type { ParseEventLogsReturnType } from "viem";
import { type Address, hexToBytes } from "viem";
import type { ledgerAbi } from "@/lib/chain/abi/ledger";
import {
  type BudgetOpening,
  EMPTY_BUDGET_OPENING,
  EMPTY_NOTE,
  type NoteOpening,
  noteCommitment,
} from "@/lib/ledger/crypto/commitments";
import type { X25519Keys } from "@/lib/ledger/crypto/keys";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { followRuled } from "@/lib/ledger/follow-ruled";
import { openBatchCopy } from "@/lib/ledger/seal/batch-copy";
import { budgetOfCopy, noteOfCopy, openPayerCopy } from "@/lib/ledger/seal/payer-copy";
import { openRecipientCopy } from "@/lib/ledger/seal/recipient-copy";

export type LedgerEvents = ParseEventLogsReturnType<typeof ledgerAbi, undefined, true>;

/** What a viewing key opens. */
export interface Openings {
  budget: BudgetOpening;
  notes: NoteOpening[];
}

/**
 * Opens a budget and the notes of an address from the ledger's events alone, in the order of the chain. Payments under
 * a policy are followed without their copies.
 *
 * @throws when an event does not open
 */
export async function recovered(
  scope: Scope,
  { address, viewing }: { address: Address; viewing: X25519Keys },
  events: LedgerEvents,
): Promise<Openings> {
  let budget = EMPTY_BUDGET_OPENING;
  let notes: NoteOpening[] = [];
  const is = (who: Address) => who.toLowerCase() === address.toLowerCase();
  const refOf = (asset: Address, commitment: bigint) => ({ scope, account: address, asset, commitment });

  async function receive(asset: Address, note: bigint, ciphertext: `0x${string}`) {
    const copy = await openRecipientCopy(viewing.secret, refOf(asset, note), hexToBytes(ciphertext));
    notes.push(opened(copy));
  }

  async function follow(asset: Address, oldBudget: bigint, newBudget: bigint, ciphertext: `0x${string}`) {
    const ref = refOf(asset, newBudget);
    const copy = opened(await openPayerCopy(viewing.secret, ref, hexToBytes(ciphertext)));
    budget = opened(budgetOfCopy(copy, ref, oldBudget));
    return copy;
  }

  for (const [index, event] of events.entries()) {
    const next = events[index + 1];
    const ruled = next?.eventName === "Ruled" ? next.args : undefined;
    switch (event.eventName) {
      case "Transferred": {
        const { account, to, asset, note, oldBudget, newBudget, recipientCiphertext, payerCiphertext } = event.args;
        if (is(to)) await receive(asset, note, recipientCiphertext);
        if (is(account) && !ruled) await follow(asset, oldBudget, newBudget, payerCiphertext);
        if (is(account) && ruled) budget = opened(followRuled(budget, { ...ruled, note })).budget;
        break;
      }
      case "Released": {
        const { account, asset, amount, oldBudget, newBudget, payerCiphertext } = event.args;
        if (is(account) && !ruled) await follow(asset, oldBudget, newBudget, payerCiphertext);
        if (is(account) && ruled) {
          const { terms } = ruled;
          budget = opened(followRuled(budget, { newBudget, terms, amount })).budget;
        }
        break;
      }
      case "BatchTransferred": {
        const { account, asset, oldBudget, newBudget, payerCiphertext } = event.args;
        if (!is(account)) break;
        const ref = refOf(asset, newBudget);
        const copy = opened(await openBatchCopy(viewing.secret, ref, hexToBytes(payerCiphertext)));
        budget = opened(budgetOfCopy(copy, ref, oldBudget));
        break;
      }
      case "Paid": {
        const { to, asset, note, recipientCiphertext } = event.args;
        if (is(to)) await receive(asset, note, recipientCiphertext);
        break;
      }
      case "Funded": {
        const { from, to, asset, ...words } = event.args;
        if (is(from)) await follow(asset, words.fromOldBudget, words.fromNewBudget, words.fromCiphertext);
        if (is(to)) await follow(asset, words.toOldBudget, words.toNewBudget, words.toCiphertext);
        break;
      }
      case "Allocated": {
        const { account, asset, oldBudget, newBudget, changeNote, ciphertext } = event.args;
        if (!is(account)) break;
        const copy = await follow(asset, oldBudget, newBudget, ciphertext);
        notes = notes.filter((note) => !event.args.notes.includes(noteCommitment(note)));
        if (changeNote !== EMPTY_NOTE) notes.push(opened(noteOfCopy(copy, refOf(asset, changeNote))));
      }
    }
  }
  return { budget, notes };
}

function opened<T>(opening: T | null): T {
  if (opening === null) throw new Error("an event does not open");
  return opening;
}
