import type { DecryptionProof } from "./decryption-proof-document";

/** The base64 text (RFC 4648 section 4, padded) of a document, which holds ASCII only. */
export function encodeDecryptionProof(document: DecryptionProof): string {
  return btoa(JSON.stringify(document));
}
