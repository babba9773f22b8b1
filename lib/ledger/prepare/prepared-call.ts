import { type Hex, keccak256 } from "viem";
import { hexToWord } from "../crypto/field";
import type { Scope } from "../crypto/scope";
import type {
  Draft,
  PreparedAllocation,
  PreparedDocument,
  PreparedFund,
  PreparedRelease,
  PreparedTransfer,
} from "./documents";
import { ctxOf, digestOf, type LedgerMessages, type LedgerTypedData, ledgerTypedData } from "./structs";
import type { CircuitName } from "./witness";

/** What a prepared document says to prover, signer and chain; derived from it alone, so it cannot contradict it. */
export interface PreparedCall {
  circuit: CircuitName;
  typedData: LedgerTypedData;
  digest: Hex;
  /** In the circuit's order, ctx last. */
  publicSignals: bigint[];
}

function transferMessage(d: Draft<PreparedTransfer>): LedgerMessages["Transfer"] {
  return {
    account: d.account,
    to: d.to,
    asset: d.asset,
    oldBudget: hexToWord(d.old_budget),
    newBudget: hexToWord(d.new_budget),
    note: hexToWord(d.note),
    recipientCiphertextHash: keccak256(d.recipient_ciphertext),
    payerCiphertextHash: keccak256(d.payer_ciphertext),
    deadline: BigInt(d.deadline),
  };
}

function releaseMessage(d: Draft<PreparedRelease>): LedgerMessages["Release"] {
  return {
    account: d.account,
    to: d.to,
    asset: d.asset,
    oldBudget: hexToWord(d.old_budget),
    newBudget: hexToWord(d.new_budget),
    amount: BigInt(d.amount),
    payerCiphertextHash: keccak256(d.payer_ciphertext),
    deadline: BigInt(d.deadline),
  };
}

function fundMessage(d: Draft<PreparedFund>): LedgerMessages["Fund"] {
  return {
    from: d.account,
    to: d.to,
    asset: d.asset,
    fromOldBudget: hexToWord(d.old_budget),
    fromNewBudget: hexToWord(d.new_budget),
    toOldBudget: hexToWord(d.to_old_budget),
    toNewBudget: hexToWord(d.to_new_budget),
    fromCiphertextHash: keccak256(d.payer_ciphertext),
    toCiphertextHash: keccak256(d.to_ciphertext),
    deadline: BigInt(d.deadline),
  };
}

function allocateMessage(d: Draft<PreparedAllocation>): LedgerMessages["Allocate"] {
  return {
    account: d.account,
    asset: d.asset,
    oldBudget: hexToWord(d.old_budget),
    newBudget: hexToWord(d.new_budget),
    notes: d.notes.map(hexToWord),
    credit: BigInt(d.credit),
    changeNote: hexToWord(d.change_note),
    ciphertextHash: keccak256(d.ciphertext),
    nonce: BigInt(d.nonce),
    deadline: BigInt(d.deadline),
  };
}

/** The struct, digest and public signals of a prepared payment or allocation. */
export function preparedCall(scope: Scope, document: Draft<PreparedDocument>): PreparedCall {
  switch (document.kind) {
    case "transfer": {
      const m = transferMessage(document);
      const digest = digestOf(scope, "Transfer", m);
      const publicSignals = [m.oldBudget, m.newBudget, m.note, ctxOf(digest)];
      return { circuit: "transfer", typedData: ledgerTypedData(scope, "Transfer", m), digest, publicSignals };
    }
    case "release": {
      const m = releaseMessage(document);
      const digest = digestOf(scope, "Release", m);
      const publicSignals = [m.oldBudget, m.newBudget, m.amount, ctxOf(digest)];
      return { circuit: "release", typedData: ledgerTypedData(scope, "Release", m), digest, publicSignals };
    }
    case "fund": {
      const m = fundMessage(document);
      const digest = digestOf(scope, "Fund", m);
      const publicSignals = [m.fromOldBudget, m.fromNewBudget, m.toOldBudget, m.toNewBudget, ctxOf(digest)];
      return { circuit: "fund", typedData: ledgerTypedData(scope, "Fund", m), digest, publicSignals };
    }
    case "allocate": {
      const m = allocateMessage(document);
      const digest = digestOf(scope, "Allocate", m);
      const publicSignals = [...m.notes, m.credit, m.oldBudget, m.newBudget, m.changeNote, ctxOf(digest)];
      return { circuit: "allocate", typedData: ledgerTypedData(scope, "Allocate", m), digest, publicSignals };
    }
  }
}
