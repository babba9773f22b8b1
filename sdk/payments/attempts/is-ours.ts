import { isAddressEqual } from "viem";
import { hexToCommitment } from "@/lib/ledger/crypto/field";
import type { MoneyEvent } from "@/lib/ledger/ledger-events";
import { availableMove } from "./available-move";
import type { PendingPayment } from "./pending-payment";

/**
 * Reports whether an event is the given pending payment. A payment is identified by its recipient and by its note or
 * payment id, which the ledger accepts only once. The new available balance commitment is not enough: two public
 * payments of the same amount over the same commitment of a limited available balance leave the same commitment, even
 * when they pay different people.
 */
export function isOurs(event: MoneyEvent, pending: PendingPayment): boolean {
  if (!isAddressEqual(event.args.asset, pending.asset)) return false;
  const { kind, account, to, note, payment_id: id, payments = [] } = pending;
  switch (event.eventName) {
    case "Transferred": {
      const { args } = event;
      if (kind !== "transfer" || !to || note === undefined) return false;
      return (
        isAddressEqual(args.account, account) && isAddressEqual(args.to, to) && args.note === hexToCommitment(note)
      );
    }
    case "Paid": {
      const { args } = event;
      if (!isAddressEqual(args.account, account)) return false;
      // A batch happens as a whole or not at all, so one of its notes is enough. With a home key a payment has the same
      // note alone and in a batch.
      const alone = kind === "transfer" && to && note !== undefined ? [{ to, note }] : [];
      return (kind === "batch" ? payments : alone).some(
        (one) => isAddressEqual(one.to, args.to) && hexToCommitment(one.note) === args.note,
      );
    }
    case "Released": {
      const { args } = event;
      if (kind !== "release" || !to || args.paymentId !== id?.toLowerCase()) return false;
      return (
        isAddressEqual(args.account, account) && isAddressEqual(args.to, to) && leavesOurCommitment(event, pending)
      );
    }
    case "Funded": {
      const { args } = event;
      if (kind !== "fund" || !to || args.paymentId !== id?.toLowerCase()) return false;
      return isAddressEqual(args.from, account) && isAddressEqual(args.to, to) && leavesOurCommitment(event, pending);
    }
    // Only the account can derive the salt in the commitment of a move to the available balance.
    case "MadeAvailable":
      return kind === "make_available" && pending.documents.length > 0 && leavesOurCommitment(event, pending);
    case "Deposited":
    case "Abandoned":
    case "Limited":
    case "BatchTransferred":
      return false;
  }
}

/** Reports whether an event used the payment id of a pending payment, for that payment or for another. */
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
 * Reports whether the event leaves an available balance commitment that one of the known documents leaves, which
 * includes the amount. Without a known document, the payment id is enough.
 */
function leavesOurCommitment(event: MoneyEvent, { account, documents }: PendingPayment): boolean {
  const move = availableMove(event, account);
  if (!move || documents.length === 0) return move !== null;
  return documents.some(
    ({ new_commitment }) => new_commitment !== undefined && hexToCommitment(new_commitment) === move.after,
  );
}
