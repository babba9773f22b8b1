import { type Address, type Hex, isAddressEqual } from "viem";
import { commitmentToHex } from "@/lib/ledger/crypto/field";
import type { LedgerEvent, MoneyEvent } from "@/lib/ledger/ledger-events";

/** Returns the kind, commitments and ciphertext of an event that the account made; null for other events. */
export function eventSide(event: MoneyEvent, account: Address) {
  const { eventName, args } = event;
  switch (eventName) {
    case "MadeAvailable":
      return isAddressEqual(args.account, account)
        ? { kind: "make_available" as const, ciphertext: args.ciphertext, commitments: args }
        : null;
    case "Released":
    case "Transferred":
    case "BatchTransferred": {
      if (!isAddressEqual(args.account, account)) return null;
      const kind = { Released: "release", Transferred: "transfer", BatchTransferred: "batch" } as const;
      return { kind: kind[eventName], ciphertext: args.payerCiphertext, commitments: args };
    }
    case "Funded": {
      if (!isAddressEqual(args.from, account)) return null;
      const commitments = { oldAvailable: args.fromOldAvailable, newAvailable: args.fromNewAvailable };
      return { kind: "fund" as const, ciphertext: args.fromCiphertext, commitments };
    }
    case "Deposited":
    case "Abandoned":
    case "Limited":
    case "Paid":
      return null;
  }
}

/** Returns the payments of a batch, in call order, which is also the order of the events. */
export function paidWith(event: LedgerEvent<"BatchTransferred">, events: readonly MoneyEvent[]): LedgerEvent<"Paid">[] {
  const after = events.filter((one) => one.transactionHash === event.transactionHash && one.logIndex > event.logIndex);
  after.sort((a, b) => a.logIndex - b.logIndex);
  const next = after.findIndex(({ eventName }) => eventName === "BatchTransferred");
  const own = next === -1 ? after : after.slice(0, next);
  return own.flatMap((one) =>
    one.eventName === "Paid" && isAddressEqual(one.args.account, event.args.account) ? [one] : [],
  );
}

/**
 * Returns what identifies the payments of an event on the ledger: their notes, or a payment id. Empty for other events.
 */
export function knownBy(event: MoneyEvent, events: readonly MoneyEvent[]): Hex[] {
  switch (event.eventName) {
    case "Transferred":
      return [commitmentToHex(event.args.note)];
    case "Released":
    case "Funded":
      return [event.args.paymentId];
    case "BatchTransferred":
      return paidWith(event, events).map(({ args }) => commitmentToHex(args.note));
    default:
      return [];
  }
}
