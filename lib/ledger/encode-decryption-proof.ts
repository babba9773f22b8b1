import type { DecryptionProof } from "./decryption-proof-document";

/** Encodes a document as base64 (RFC 4648 section 4, padded). Documents contain only ASCII. */
export function encodeDecryptionProof(document: DecryptionProof): string {
  return btoa(JSON.stringify(document));
}
