import { bigintToBytes, bytesToBigint, concat } from "../crypto/bytes";
import type { Epoch } from "../crypto/epochs";
import { BLIND_STATE_LENGTH, FIXED_LENGTH, TAGS_AT } from "./available-state";

/** Day (4) and seed (32). */
const EPOCH = 36;

/**
 * Returns what clients with a home key keep in a state that is written from the chain (`blindPartBytes`). Its epochs are
 * those of the payments that the chain shows: a service that was restored from a backup may know none of them, and a
 * request that they paid is found under them alone. The days on chain are at most a little late, because a payment is
 * built some minutes before its block. So an epoch may be kept for longer, and never for less.
 *
 * @param shown the last two epochs of payments on chain, oldest first, with the day of the block of their first payment
 * @param past what the last state had that the service knew; its policy is kept
 * @param today the UTC day of the newest block
 */
export function epochsShown(
  shown: readonly Epoch[],
  past: Uint8Array | undefined,
  today: bigint,
): Uint8Array | undefined {
  const kept = past?.slice().fill(0, TAGS_AT);
  const [newest, before] = [shown.at(-1), shown.at(-2)];
  if (!newest) return kept;
  const keptDay = kept ? bytesToBigint(kept.slice(0, 4)) : 0n;
  // Of payments that are not on chain yet. Someone whose key was revoked may have written a day that never comes.
  if (keptDay > newest.day && keptDay <= today) return kept;
  const part = kept?.fill(0, 0, 2 * EPOCH) ?? new Uint8Array(BLIND_STATE_LENGTH - FIXED_LENGTH);
  const write = (day: bigint, seed: Uint8Array, at: number) => part.set(concat(bigintToBytes(day, 4), seed), at);
  write(newest.day, newest.seed, 0);
  const yesterday = newest.day - 1n;
  if (before && before.day >= yesterday) write(yesterday, before.seed, EPOCH);
  return part;
}
