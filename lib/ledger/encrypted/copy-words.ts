import { concat, type Hex, keccak256, padHex, sliceHex } from "viem";

/** A copy in the form that the ledger accepts and writes to events: whole words, four for a payer or recipient. */
type CopyWords = readonly [Hex, Hex, Hex, Hex];
/** The copy of a batch's payer in the same form. */
type BatchCopyWords = readonly [...CopyWords, ...CopyWords, ...CopyWords, ...CopyWords];

const WORDS = 4;
const BATCH_WORDS = 16;

/** Returns the words of an encrypted copy: its bytes, padded with zeros. */
export const copyWords = (encrypted: Hex): CopyWords => words(encrypted, WORDS) as unknown as CopyWords;
/** Returns the words of a batch's encrypted payer copy. */
export const batchCopyWords = (encrypted: Hex): BatchCopyWords =>
  words(encrypted, BATCH_WORDS) as unknown as BatchCopyWords;

/** Returns the hash by which a signature covers a copy: the keccak256 of its words. */
export function copyHash(encrypted: Hex): Hex {
  return keccak256(padded(encrypted, Math.ceil((encrypted.length - 2) / 64)));
}

/**
 * Returns the encrypted copy of `length` bytes in `words`. If anything but zeros follows it, returns all of it, which
 * can't be decrypted, like any other copy that the payer spoiled.
 */
export function copyIn(words: readonly Hex[], length: number): Hex {
  const all = concat(words);
  return BigInt(sliceHex(all, length)) ? all : sliceHex(all, 0, length);
}

const padded = (encrypted: Hex, words: number) => padHex(encrypted, { dir: "right", size: 32 * words });

function words(encrypted: Hex, count: number): Hex[] {
  const all = padded(encrypted, count);
  return Array.from({ length: count }, (_, at) => sliceHex(all, 32 * at, 32 * at + 32));
}
