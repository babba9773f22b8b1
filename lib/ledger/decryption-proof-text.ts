import type { DecryptionProof } from "./decryption-proof-document";

/** Note slots of one Balance proof. */
export const BALANCE_NOTES = 16;
/** Proofs of one document: 384 notes, and a text that fits a request body of 64 KiB. */
export const MAX_BALANCE_PROOFS = 24;

/** The base64 text (RFC 4648 section 4, padded) of a document, which holds ASCII only. */
export function encodeDecryptionProof(document: DecryptionProof): string {
  return btoa(JSON.stringify(document));
}
