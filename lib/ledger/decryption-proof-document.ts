import type { Address, Hex } from "viem";
import * as z from "zod";
import { EMPTY_BUDGET, EMPTY_NOTE } from "./crypto/commitments";
import { InvalidDecryptionProof } from "./crypto/errors";
import { wordToHex } from "./crypto/field";
import { BALANCE_NOTES, MAX_BALANCE_PROOFS } from "./decryption-proof-limits";
import { addressText, hexBytes, u64, word } from "./prepare/document-fields";
import { PROOF_LENGTH } from "./prepare/proof";

/** How long a decryption proof is taken after `issued_at`, in seconds, and how far ahead a client's clock may be. */
export const DECRYPTION_PROOF_AGE = 600n;
const CLOCK_SKEW = 60n;
const MAX_TEXT = 64 * 1024;

const entrySchema = z.strictObject({
  asset: addressText,
  notes: z.array(word).max(BALANCE_NOTES),
  budget: word,
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

/** One Balance proof: the notes it names, the budget word (EMPTY_BUDGET in all but an asset's first), its total. */
export type DecryptionProofEntry = z.infer<typeof entrySchema>;
/** What the base64 text of a `decryption_proof` holds. */
export type DecryptionProof = z.infer<typeof documentSchema>;

/** What the server has to compare with the ledger, per asset. */
interface NamedHoldings {
  asset: Address;
  /** Each once; all must be open notes of the account. */
  notes: Hex[];
  /** Must be the account's current budget word. */
  budget: Hex;
  /** What the proofs of this asset add up to, in units. */
  total: bigint;
}

/** Reads a `decryption_proof`; throws `InvalidDecryptionProof` on anything but a well-formed document. */
export function decodeDecryptionProof(text: string): DecryptionProof {
  if (text.length > MAX_TEXT || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw new InvalidDecryptionProof();
  try {
    return documentSchema.parse(JSON.parse(atob(text)));
  } catch {
    throw new InvalidDecryptionProof();
  }
}

/** How many proofs a text holds that reads as a document, else 1: what checking it costs. */
export function countBalanceProofs(text: string): number {
  try {
    return Math.max(1, decodeDecryptionProof(text).proofs.length);
  } catch {
    return 1;
  }
}

/**
 * What a document claims, per asset, once it is consistent in itself: no older than 10 minutes, no note twice or
 * empty, the budget in an asset's first proof only, notes in every further one. Proofs and ledger are the caller's to
 * check.
 *
 * @param now Unix seconds
 * @throws InvalidDecryptionProof
 */
export function namedHoldings(document: DecryptionProof, now: bigint): NamedHoldings[] {
  const issuedAt = BigInt(document.issued_at);
  if (issuedAt > now + CLOCK_SKEW || issuedAt + DECRYPTION_PROOF_AGE < now) throw new InvalidDecryptionProof();
  const holdings = new Map<Address, NamedHoldings>();
  // Per asset: a stranger may open notes of one word in two assets, and both are money.
  const named = new Set<string>();
  for (const entry of document.proofs) {
    for (const note of entry.notes) {
      const name = `${entry.asset}/${note}`;
      if (note === wordToHex(EMPTY_NOTE) || named.has(name)) throw new InvalidDecryptionProof();
      named.add(name);
    }
    const held = holdings.get(entry.asset);
    if (!held) {
      holdings.set(entry.asset, { ...entry, notes: [...entry.notes], total: BigInt(entry.total) });
      continue;
    }
    // Each costs the server a verification: one that shows nothing is none.
    if (entry.budget !== wordToHex(EMPTY_BUDGET) || entry.notes.length === 0) throw new InvalidDecryptionProof();
    held.notes.push(...entry.notes);
    held.total += BigInt(entry.total);
  }
  return [...holdings.values()].map(({ asset, notes, budget, total }) => ({ asset, notes, budget, total }));
}
