import { concat, type Hex, keccak256, padHex, sliceHex } from "viem";

/** A copy as the ledger takes it and writes it to events: whole words, of which a payer's or a recipient's has four. */
export type CopyWords = readonly [Hex, Hex, Hex, Hex];
/** The same of a batch's payer. */
export type BatchCopyWords = readonly [...CopyWords, ...CopyWords, ...CopyWords, ...CopyWords];

const WORDS = 4;
const BATCH_WORDS = 16;

/** The words of a sealed copy: its bytes, then zeros. */
export const copyWords = (sealed: Hex): CopyWords => words(sealed, WORDS) as unknown as CopyWords;
/** The words of a batch's sealed payer copy. */
export const batchCopyWords = (sealed: Hex): BatchCopyWords => words(sealed, BATCH_WORDS) as unknown as BatchCopyWords;

/** What a signature says of a copy: the keccak256 of its words. */
export function copyHash(sealed: Hex): Hex {
  return keccak256(padded(sealed, Math.ceil((sealed.length - 2) / 64)));
}

/**
 * The sealed copy in `words`, which has `length` bytes. What follows it counts as part of it unless it is zero: then the
 * copy does not open, like any other that the payer spoiled.
 */
export function copyIn(words: readonly Hex[], length: number): Hex {
  const all = concat(words);
  return BigInt(sliceHex(all, length)) ? all : sliceHex(all, 0, length);
}

const padded = (sealed: Hex, words: number) => padHex(sealed, { dir: "right", size: 32 * words });

function words(sealed: Hex, count: number): Hex[] {
  const all = padded(sealed, count);
  return Array.from({ length: count }, (_, at) => sliceHex(all, 32 * at, 32 * at + 32));
}
