import { isAddressEqual } from "viem";
import { hexToWord } from "@/lib/ledger/crypto/field";
import type { MoneyEvent } from "@/lib/ledger/ledger-events";
import { budgetMove } from "./budget-move";
import type { PendingPayment } from "./pending-payment";

/**
 * Whether an event is what a pending payment asks for. A payment is known by its note or its payment id, each of which the
 * ledger takes once, and by who is paid. The new budget word says too little: two public payments of one amount over
 * one word of a ruled budget leave the same word, also when they pay different people.
 */
export function isOurs(event: MoneyEvent, pending: PendingPayment): boolean {
  if (!isAddressEqual(event.args.asset, pending.asset)) return false;
  const { kind, account, to, note, payment_id: id, payments = [] } = pending;
  switch (event.eventName) {
    case "Transferred": {
      const { args } = event;
      if (kind !== "transfer" || !to || note === undefined) return false;
      return isAddressEqual(args.account, account) && isAddressEqual(args.to, to) && args.note === hexToWord(note);
    }
    case "Paid": {
      const { args } = event;
      if (kind !== "batch" || !isAddressEqual(args.account, account)) return false;
      // All of a batch happens or nothing: one of its notes shows it.
      return payments.some((one) => isAddressEqual(one.to, args.to) && hexToWord(one.note) === args.note);
    }
    case "Released": {
      const { args } = event;
      if (kind !== "release" || !to || args.paymentId !== id?.toLowerCase()) return false;
      return isAddressEqual(args.account, account) && isAddressEqual(args.to, to) && leavesOurWord(event, pending);
    }
    case "Funded": {
      const { args } = event;
      if (kind !== "fund" || !to || args.paymentId !== id?.toLowerCase()) return false;
      return isAddressEqual(args.from, account) && isAddressEqual(args.to, to) && leavesOurWord(event, pending);
    }
    // The word of an allocation has a salt that only the account can derive.
    case "Allocated":
      return kind === "allocation" && pending.documents.length > 0 && leavesOurWord(event, pending);
    case "Deposited":
    case "Abandoned":
    case "Ruled":
    case "BatchTransferred":
      return false;
  }
}

/** Whether an event has used up the payment id of a pending payment, as that payment or as another. */
export function usesItsId(event: MoneyEvent, { account, payment_id: id }: PendingPayment): boolean {
  if (id === undefined) return false;
  if (event.eventName === "Released") {
    return event.args.paymentId === id.toLowerCase() && isAddressEqual(event.args.account, account);
  }
  return (
    event.eventName === "Funded" &&
    event.args.paymentId === id.toLowerCase() &&
    isAddressEqual(event.args.from, account)
  );
}

/**
 * Whether the event leaves a word that one of the known documents leaves: its amount is in it. Without a known document
 * the id says it all.
 */
function leavesOurWord(event: MoneyEvent, { account, documents }: PendingPayment): boolean {
  const move = budgetMove(event, account);
  if (!move || documents.length === 0) return move !== null;
  return documents.some(({ new_word }) => new_word !== undefined && hexToWord(new_word) === move.after);
}
