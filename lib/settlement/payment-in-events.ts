import type { Address, Hex } from "viem";
import { commitmentToHex } from "@/lib/ledger/crypto/field";
import { type SpendMode, unpackTerms } from "@/lib/ledger/crypto/terms";
import type { LedgerEvent } from "@/lib/ledger/ledger-events";

/** What a transaction's events say about one payment in it, in the form of rows of `operations` and `transfers`. */
export interface EventPayment {
  operationKind: "transfer" | "spend" | "release" | "spend_public" | "fund" | "transfer_many";
  account: Address;
  recipient: Address;
  fields: {
    kind: "transfer" | "release" | "fund";
    asset: Address;
    oldCommitment: Hex;
    newCommitment: Hex;
    note: Hex | null;
    paymentId: Hex | null;
    mode: SpendMode | null;
    batchIndex: number | null;
    recipientCiphertext: Hex | null;
    payerCiphertext: Hex;
  };
}

const ABSENT = { note: null, paymentId: null, mode: null, batchIndex: null, recipientCiphertext: null };

const wordsOf = ({ oldAvailable, newAvailable }: { oldAvailable: bigint; newAvailable: bigint }) => {
  return { oldCommitment: commitmentToHex(oldAvailable), newCommitment: commitmentToHex(newAvailable) };
};

/**
 * Returns the payment whose event is at `logIndex` among the ledger's events of one transaction; null if there is none.
 * Contains no amount.
 */
export function paymentInEvents(events: readonly LedgerEvent[], logIndex: number): EventPayment | null {
  const at = events.findIndex((event) => event.logIndex === logIndex);
  const event = events[at];
  switch (event?.eventName) {
    case "Transferred": {
      const { account, to: recipient, asset, note, recipientCiphertext, payerCiphertext } = event.args;
      const mode = modeBehind(events, at);
      const commitments = { ...wordsOf(event.args), note: commitmentToHex(note) };
      const fields = { ...ABSENT, kind: "transfer" as const, asset, ...commitments, mode, recipientCiphertext };
      const operationKind = mode === null ? "transfer" : "spend";
      return { operationKind, account, recipient, fields: { ...fields, payerCiphertext } };
    }
    case "Released": {
      const { account, to: recipient, asset, paymentId, payerCiphertext } = event.args;
      const mode = modeBehind(events, at);
      const fields = { ...ABSENT, kind: "release" as const, asset, ...wordsOf(event.args), paymentId, mode };
      const operationKind = mode === null ? "release" : "spend_public";
      return { operationKind, account, recipient, fields: { ...fields, payerCiphertext } };
    }
    case "Funded": {
      const { from: account, to: recipient, asset, fromOldAvailable, fromNewAvailable, paymentId } = event.args;
      const commitments = wordsOf({ oldAvailable: fromOldAvailable, newAvailable: fromNewAvailable });
      const fields = { ...ABSENT, kind: "fund" as const, asset, ...commitments, paymentId };
      return {
        operationKind: "fund",
        account,
        recipient,
        fields: { ...fields, payerCiphertext: event.args.fromCiphertext },
      };
    }
    case "Paid":
      return paymentOfBatch(events, at, event);
    default:
      return null;
  }
}

function paymentOfBatch(events: readonly LedgerEvent[], at: number, paid: LedgerEvent<"Paid">): EventPayment | null {
  const start = events.findLastIndex(({ eventName }, index) => index < at && eventName === "BatchTransferred");
  const batch = events[start];
  if (batch?.eventName !== "BatchTransferred") return null;
  const { account, to: recipient, asset, note, recipientCiphertext } = paid.args;
  const commitments = { ...wordsOf(batch.args), note: commitmentToHex(note) };
  const fields = { ...ABSENT, kind: "transfer" as const, asset, ...commitments, recipientCiphertext };
  const place = { batchIndex: at - start - 1, payerCiphertext: batch.args.payerCiphertext };
  return { operationKind: "transfer_many", account, recipient, fields: { ...fields, ...place } };
}

/** Returns the mode of a payment under a policy, which is in the event after it. */
function modeBehind(events: readonly LedgerEvent[], at: number): SpendMode | null {
  const next = events[at + 1];
  return next?.eventName === "Limited" ? unpackTerms(next.args.terms).mode : null;
}
