import type { Hex } from "viem";
import { commitmentToHex, FIELD_ORDER, hexToCommitment } from "@/lib/ledger/crypto/field";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { documentCall } from "@/lib/ledger/prepare/document-call";
import type { SignedDocument } from "@/lib/ledger/prepare/documents";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { normaliseSignature } from "@/lib/ledger/prepare/signature";

const other = (commitment: Hex) => commitmentToHex((hexToCommitment(commitment) + 1n) % FIELD_ORDER);
const otherBytes = (bytes: Hex): Hex => `0x${bytes.slice(2, -1)}${bytes.endsWith("0") ? "1" : "0"}`;
const more = (units: string) => (BigInt(units) + 1n).toString();

/**
 * Returns copies of a proven document, one for each public signal that the call contains, with that signal replaced.
 * ctx stands for everything else that is signed. Old commitments and policy commitments are read from storage, so no
 * call contains them.
 */
export function alteredDocuments(d: SignedDocument, otherDay: number): Record<string, SignedDocument> {
  const newAvailable = { ...d, new_available: other(d.new_available) } as SignedDocument;
  if (d.kind === "make_available") {
    const notes = d.notes.map((note, index) => [`notes[${index}]`, { ...d, notes: d.notes.with(index, other(note)) }]);
    return {
      ...Object.fromEntries(notes),
      newAvailable,
      deposited: { ...d, deposited: more(d.deposited) },
      changeNote: { ...d, change_note: other(d.change_note) },
      ctx: { ...d, ciphertext: otherBytes(d.ciphertext) },
    };
  }
  const ctx = { ...d, payer_ciphertext: otherBytes(d.payer_ciphertext) } as SignedDocument;
  const common = { newAvailable, ctx };
  switch (d.kind) {
    case "transfer":
      return { ...common, note: { ...d, note: other(d.note) } };
    case "release":
      return { ...common, amount: { ...d, amount: more(d.amount) } };
    case "fund":
      return { ...common, toNew: { ...d, to_new_available: other(d.to_new_available) } };
    case "transfer_many": {
      const notes = d.payments.map((payment, index) => [
        `notes[${index}]`,
        { ...d, payments: d.payments.with(index, { ...payment, note: other(payment.note) }) },
      ]);
      return { ...common, ...Object.fromEntries(notes), "a note more": withAnotherNote(d) };
    }
    case "spend":
    case "spend_public": {
      const terms: Record<string, SignedDocument> = d.mode === 2 ? {} : { terms: { ...d, day: otherDay } };
      if (d.kind === "spend_public") return { ...common, ...terms, amount: { ...d, amount: more(d.amount) } };
      const commitments = {
        note: { ...d, note: other(d.note) },
        encrypted: { ...d, encrypted_amount: other(d.encrypted_amount) },
      };
      return { ...common, ...terms, ...commitments };
    }
  }
}

/** Replaces the last payment's note by another. There must still be sixteen payments. */
function withAnotherNote(d: Extract<SignedDocument, { kind: "transfer_many" }>): SignedDocument {
  const last = d.payments[d.payments.length - 1];
  if (last === undefined) return d;
  return { ...d, payments: [...d.payments.slice(0, 15), { ...last, note: other(last.note) }] };
}

/** Signs the document again, so that a refusal is not due to the signature. */
export async function signAgain<D extends SignedDocument>(scope: Scope, d: D, key: Hex): Promise<D> {
  const { digest, typedData } = documentCall(scope, d);
  return { ...d, signature: normaliseSignature(await keySigner(key)({ digest, typedData })) };
}
