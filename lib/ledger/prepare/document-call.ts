import type { Hex } from "viem";
import { EMPTY_NOTE } from "../crypto/commitments";
import { hexToCommitment } from "../crypto/field";
import type { Scope } from "../crypto/scope";
import { packTerms } from "../crypto/terms";
import { BATCH_PAYMENTS } from "../encrypted/batch-copy";
import { copyHash } from "../encrypted/copy-words";
import type {
  Draft,
  SignedDocument,
  SignedFund,
  SignedMakeAvailable,
  SignedPayment,
  SignedTransferMany,
} from "./documents";
import type { LedgerMessages, LedgerStruct } from "./struct-types";
import { ctxOf, digestOf, type LedgerTypedData, ledgerTypedData } from "./structs";
import type { CircuitName } from "./witness";

/** The circuits whose proofs the ledger's functions verify. */
type CallCircuit = Exclude<CircuitName, "balance" | "at-least">;

/**
 * The input of prover, signer and chain for a client-signed document. It is derived from the document alone, so it
 * can't contradict it.
 */
export interface DocumentCall {
  circuit: CallCircuit;
  typedData: LedgerTypedData;
  digest: Hex;
  /** In the circuit's order, ctx last. */
  publicSignals: bigint[];
}

function call<K extends LedgerStruct>(
  scope: Scope,
  circuit: CallCircuit,
  struct: K,
  message: LedgerMessages[K],
  signals: readonly bigint[],
): DocumentCall {
  const digest = digestOf(scope, struct, message);
  return {
    circuit,
    typedData: ledgerTypedData(scope, struct, message),
    digest,
    publicSignals: [...signals, ctxOf(digest)],
  };
}

/** Returns the fields that all payments to one recipient share. */
function paymentMessage(d: Draft<Exclude<SignedPayment, SignedFund>>) {
  return {
    account: d.account,
    to: d.to,
    asset: d.asset,
    oldAvailable: hexToCommitment(d.old_available),
    newAvailable: hexToCommitment(d.new_available),
    payerCiphertextHash: copyHash(d.payer_ciphertext),
    policyVersion: BigInt(d.policy_version),
    deadline: BigInt(d.deadline),
  };
}

const noteMessage = (d: { note: Hex; recipient_ciphertext: Hex }) => ({
  note: hexToCommitment(d.note),
  recipientCiphertextHash: copyHash(d.recipient_ciphertext),
});

const publicMessage = (d: { amount: string; payment_id: Hex }) => ({
  amount: BigInt(d.amount),
  paymentId: d.payment_id,
});

const termsMessage = (d: { mode: 0 | 1 | 2; day: number }) => ({ mode: BigInt(d.mode), day: BigInt(d.day) });
const termsOf = (d: { mode: 0 | 1 | 2; day: number }) => packTerms({ mode: d.mode, day: BigInt(d.day) });

function fundMessage(d: Draft<SignedFund>): LedgerMessages["Fund"] {
  return {
    from: d.account,
    to: d.to,
    asset: d.asset,
    fromOldAvailable: hexToCommitment(d.old_available),
    fromNewAvailable: hexToCommitment(d.new_available),
    toOldAvailable: hexToCommitment(d.to_old_available),
    toNewAvailable: hexToCommitment(d.to_new_available),
    paymentId: d.payment_id,
    fromCiphertextHash: copyHash(d.payer_ciphertext),
    toCiphertextHash: copyHash(d.to_ciphertext),
    deadline: BigInt(d.deadline),
  };
}

function makeAvailableMessage(d: Draft<SignedMakeAvailable>): LedgerMessages["MakeAvailable"] {
  return {
    account: d.account,
    asset: d.asset,
    oldAvailable: hexToCommitment(d.old_available),
    newAvailable: hexToCommitment(d.new_available),
    notes: d.notes.map(hexToCommitment),
    deposited: BigInt(d.deposited),
    changeNote: hexToCommitment(d.change_note),
    ciphertextHash: copyHash(d.ciphertext),
    nonce: BigInt(d.nonce),
    deadline: BigInt(d.deadline),
  };
}

function transferManyMessage(d: Draft<SignedTransferMany>): LedgerMessages["TransferMany"] {
  return {
    account: d.account,
    asset: d.asset,
    oldAvailable: hexToCommitment(d.old_available),
    newAvailable: hexToCommitment(d.new_available),
    payments: d.payments.map((payment) => ({ to: payment.to, ...noteMessage(payment) })),
    payerCiphertextHash: copyHash(d.payer_ciphertext),
    policyVersion: BigInt(d.policy_version),
    deadline: BigInt(d.deadline),
  };
}

/** Returns the struct, digest and public signals of a client-signed payment or move to the available balance. */
export function documentCall(scope: Scope, d: Draft<SignedDocument>): DocumentCall {
  switch (d.kind) {
    case "transfer": {
      const m = { ...paymentMessage(d), ...noteMessage(d) };
      return call(scope, "transfer", "Transfer", m, [m.oldAvailable, m.newAvailable, m.note]);
    }
    case "release": {
      const m = { ...paymentMessage(d), ...publicMessage(d) };
      return call(scope, "release", "Release", m, [m.oldAvailable, m.newAvailable, m.amount]);
    }
    case "spend": {
      const encryptedAmount = hexToCommitment(d.encrypted_amount);
      const m = { ...paymentMessage(d), ...noteMessage(d), ...termsMessage(d), encryptedAmount };
      const policy = hexToCommitment(d.policy_commitment);
      return call(scope, "spend", "Spend", m, [
        m.oldAvailable,
        m.newAvailable,
        m.note,
        policy,
        termsOf(d),
        encryptedAmount,
      ]);
    }
    case "spend_public": {
      const m = { ...paymentMessage(d), ...publicMessage(d), ...termsMessage(d) };
      const policy = hexToCommitment(d.policy_commitment);
      return call(scope, "spend-public", "SpendPublic", m, [
        m.oldAvailable,
        m.newAvailable,
        m.amount,
        policy,
        termsOf(d),
      ]);
    }
    case "transfer_many": {
      const m = transferManyMessage(d);
      const notes = Array.from({ length: BATCH_PAYMENTS }, (_, index) => m.payments[index]?.note ?? EMPTY_NOTE);
      return call(scope, "pay-many", "TransferMany", m, [m.oldAvailable, m.newAvailable, ...notes]);
    }
    case "fund": {
      const m = fundMessage(d);
      return call(scope, "fund", "Fund", m, [
        m.fromOldAvailable,
        m.fromNewAvailable,
        m.toOldAvailable,
        m.toNewAvailable,
      ]);
    }
    case "make_available": {
      const m = makeAvailableMessage(d);
      return call(scope, "make-available", "MakeAvailable", m, [
        ...m.notes,
        m.deposited,
        m.oldAvailable,
        m.newAvailable,
        m.changeNote,
      ]);
    }
  }
}
