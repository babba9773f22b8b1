import type { Address, Hex } from "viem";
import * as z from "zod";
import { EMPTY_AVAILABLE, EMPTY_NOTE } from "./crypto/commitments";
import { InvalidDecryptionProof } from "./crypto/errors";
import { commitmentToHex } from "./crypto/field";
import { BALANCE_NOTES, MAX_BALANCE_PROOFS } from "./decryption-proof-limits";
import { addressText, commitment, hexBytes, u64 } from "./prepare/document-fields";
import { PROOF_LENGTH } from "./prepare/proof";

/** How long a decryption proof is accepted after `issued_at`, and how far ahead a client's clock may be, in seconds. */
export const DECRYPTION_PROOF_AGE = 600n;
const CLOCK_SKEW = 60n;
const MAX_TEXT = 64 * 1024;

const entrySchema = z.strictObject({
  asset: addressText,
  notes: z.array(commitment).max(BALANCE_NOTES),
  available: commitment,
  total: u64,
  proof: hexBytes(PROOF_LENGTH),
});

const documentSchema = z.strictObject({
  version: z.literal(1),
  account: addressText,
  block: u64,
  issued_at: u64,
  proofs: z.array(entrySchema).max(MAX_BALANCE_PROOFS),
});

/**
 * One Balance proof: the notes it covers, the available balance commitment (EMPTY_AVAILABLE except in an asset's first
 * proof), and their total.
 */
export type DecryptionProofEntry = z.infer<typeof entrySchema>;
/** The decoded content of a `decryption_proof`. */
export type DecryptionProof = z.infer<typeof documentSchema>;

/** What the server must compare with the ledger, per asset. */
interface NamedHoldings {
  asset: Address;
  /** Without duplicates. All must be unspent notes of the account. */
  notes: Hex[];
  /** Must be the account's current available balance commitment. */
  available: Hex;
  /** The sum that the proofs of this asset show, in units. */
  total: bigint;
}

/**
 * Decodes a `decryption_proof`.
 *
 * @throws InvalidDecryptionProof for anything but a well-formed document
 */
export function decodeDecryptionProof(text: string): DecryptionProof {
  if (text.length > MAX_TEXT || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw new InvalidDecryptionProof();
  try {
    return documentSchema.parse(JSON.parse(atob(text)));
  } catch {
    throw new InvalidDecryptionProof();
  }
}

/** Returns the number of proofs in a document, which is the cost of checking it; 1 if the text can't be decoded. */
export function countBalanceProofs(text: string): number {
  try {
    return Math.max(1, decodeDecryptionProof(text).proofs.length);
  } catch {
    return 1;
  }
}

/** Reports whether a document was made more than 10 minutes ago, or in the future, by the clock that says `now`. */
export function isOutOfTime({ issued_at }: DecryptionProof, now: bigint): boolean {
  const issuedAt = BigInt(issued_at);
  return issuedAt > now + CLOCK_SKEW || issuedAt + DECRYPTION_PROOF_AGE < now;
}

/**
 * Returns what a document claims, per asset, after checking that it is consistent: no older than 10 minutes, no note
 * empty or named twice, the available balance only in an asset's first proof, and notes in all others. The caller must
 * verify the proofs and compare with the ledger.
 *
 * @param now Unix seconds
 * @throws InvalidDecryptionProof
 */
export function namedHoldings(document: DecryptionProof, now: bigint): NamedHoldings[] {
  if (isOutOfTime(document, now)) throw new InvalidDecryptionProof();
  const holdings = new Map<Address, NamedHoldings>();
  // Per asset, because a stranger may create notes with the same commitment in two assets, and both are money.
  const named = new Set<string>();
  for (const entry of document.proofs) {
    for (const note of entry.notes) {
      const name = `${entry.asset}/${note}`;
      if (note === commitmentToHex(EMPTY_NOTE) || named.has(name)) throw new InvalidDecryptionProof();
      named.add(name);
    }
    const held = holdings.get(entry.asset);
    if (!held) {
      holdings.set(entry.asset, { ...entry, notes: [...entry.notes], total: BigInt(entry.total) });
      continue;
    }
    // Each proof costs the server a verification, so refuse those that show nothing.
    if (entry.available !== commitmentToHex(EMPTY_AVAILABLE) || entry.notes.length === 0)
      throw new InvalidDecryptionProof();
    held.notes.push(...entry.notes);
    held.total += BigInt(entry.total);
  }
  return [...holdings.values()].map(({ asset, notes, available, total }) => ({ asset, notes, available, total }));
}
