import type { Hex } from "viem";
import { AEAD_OVERHEAD, decrypt, encrypt } from "../crypto/aead";
import { bigintToBytes, concat, fromHex } from "../crypto/bytes";
import { type AvailableOpening, availableCommitment, isOpeningOf } from "../crypto/commitments";
import { DecryptionFailed } from "../crypto/errors";
import { hkdf } from "../crypto/hkdf";
import { deriveFlagKey } from "../crypto/keys";
import { type CommitmentRef, commitmentRefBytes } from "../crypto/scope";
import { FixedFields } from "./fixed-fields";

const VERSION = 2;
/** Of a state that clients with a home key write (`blind-state.ts`). */
export const BLIND_VERSION = 3;
/** Length of such a state without counters. All have the same, so that none shows how many payments made it. */
export const BLIND_STATE_LENGTH = 512;
export const ENCRYPTED_BLIND_STATE_LENGTH = BLIND_STATE_LENGTH + AEAD_OVERHEAD;
export const FIXED_LENGTH = 1 + 8 + 8 + 4 + 32;
/** Where what clients with a home key keep has the tags of the payments that made the state. */
export const TAGS_AT = 2 * 36 + 8 + 32;
/** In the place of the note or payment id: a state that no client with a home key has made. */
const MADE_BY_OTHERS: Hex = `0x${"00".repeat(32)}`;

/**
 * Length of the shortest encrypted state in bytes: version (1), limit (8), spent (8), day (4), salt (32), no counters.
 */
export const ENCRYPTED_STATE_MIN_LENGTH = FIXED_LENGTH + AEAD_OVERHEAD;
/** Leaves room for an agent's counters, also behind what its clients with a home key keep. */
export const ENCRYPTED_STATE_MAX_LENGTH = 33 + ENCRYPTED_BLIND_STATE_LENGTH + 4096;

/** Length of an encrypted flag in bytes. The plaintext is one byte. */
export const ENCRYPTED_FLAG_LENGTH = 1 + AEAD_OVERHEAD;

/**
 * An available balance state as the service stores it: a ciphertext that only k (or k_i) decrypts, and a flag for the
 * balances route.
 */
interface EncryptedState {
  encrypted: Uint8Array;
  flag: Uint8Array;
}

/**
 * Encrypts an available balance's opening, including its window, under HKDF(secret, "budget state"), and
 * whether the available balance is above zero under HKDF(secret, "flag").
 *
 * @param secret k for an account, k_i for an agent
 * @param ref `ref.commitment` is the available balance commitment
 * @param madeBy the note or payment id of a client with a home key, which made the state
 * @throws DecryptionFailed if `available` is not the opening of that commitment
 */
export function encryptAvailableState(
  secret: Uint8Array,
  ref: CommitmentRef,
  available: AvailableOpening,
  madeBy = MADE_BY_OTHERS,
): EncryptedState {
  if (availableCommitment(available) !== ref.commitment) throw new DecryptionFailed("balance opening");
  const { blind } = available;
  const plain = concat(
    Uint8Array.of(blind ? BLIND_VERSION : VERSION),
    bigintToBytes(available.limit, 8),
    bigintToBytes(available.window.spent, 8),
    bigintToBytes(available.window.day, 4),
    bigintToBytes(available.salt, 32),
    blind ?? new Uint8Array(),
    available.counters ?? new Uint8Array(),
  );
  const aad = commitmentRefBytes(ref);
  return {
    encrypted: blind
      ? concat(
          Uint8Array.of(BLIND_VERSION),
          fromHex(madeBy),
          encrypt(hkdf(secret, "blind budget state", ref.scope), concat(aad, fromHex(madeBy)), plain),
        )
      : encrypt(hkdf(secret, "budget state", ref.scope), aad, plain),
    flag: encryptFlag(deriveFlagKey(secret, ref.scope), ref, available.limit > 0n),
  };
}

/**
 * Decrypts an available balance state.
 *
 * @param encryptedNow the opening that was just encrypted, if its commitment is known; an equal one is not hashed again
 * @throws DecryptionFailed, also if the content doesn't match the available balance commitment
 */
export function decryptAvailableState(
  secret: Uint8Array,
  ref: CommitmentRef,
  encrypted: Uint8Array,
  encryptedNow?: AvailableOpening,
): AvailableOpening {
  const plain = decrypted(secret, ref, encrypted);
  const isBlind = plain[0] === BLIND_VERSION && plain.length >= BLIND_STATE_LENGTH;
  if (plain.length < FIXED_LENGTH || !(isBlind || plain[0] === VERSION)) throw new DecryptionFailed("balance state");
  const fields = new FixedFields(plain.subarray(1));
  const limit = fields.integer(8);
  const window = { spent: fields.integer(8), day: fields.integer(4) };
  const available: AvailableOpening = { limit, window, salt: fields.integer(32) };
  const hashed = encryptedNow && hasSameCommitment(available, encryptedNow) ? encryptedNow : available;
  if (!isOpeningOf(hashed, ref.commitment)) throw new DecryptionFailed("balance state");
  const countersAt = isBlind ? BLIND_STATE_LENGTH : FIXED_LENGTH;
  const counters = plain.slice(countersAt);
  return {
    ...available,
    ...(isBlind && { blind: plain.slice(FIXED_LENGTH, BLIND_STATE_LENGTH) }),
    ...(counters.length > 0 && { counters }),
  };
}

/** Decrypts a state of either version. */
function decrypted(secret: Uint8Array, ref: CommitmentRef, encrypted: Uint8Array): Uint8Array {
  const aad = commitmentRefBytes(ref);
  if (encrypted.length >= 33 + ENCRYPTED_BLIND_STATE_LENGTH && encrypted[0] === BLIND_VERSION) {
    try {
      const key = hkdf(secret, "blind budget state", ref.scope);
      return decrypt(key, concat(aad, encrypted.subarray(1, 33)), encrypted.subarray(33), "balance state");
    } catch {
      // The first byte of the other version's ciphertext is random.
    }
  }
  return decrypt(hkdf(secret, "budget state", ref.scope), aad, encrypted, "balance state");
}

/** Reports whether everything that determines the commitment is equal. */
function hasSameCommitment(a: AvailableOpening, b: AvailableOpening): boolean {
  const isSameWindow = a.window.spent === b.window.spent && a.window.day === b.window.day;
  return a.limit === b.limit && a.salt === b.salt && isSameWindow;
}

/**
 * Encrypts whether an available balance is above zero.
 *
 * @param flagKey `deriveFlagKey(k or k_i)`
 */
function encryptFlag(flagKey: Uint8Array, ref: CommitmentRef, aboveZero: boolean): Uint8Array {
  return encrypt(flagKey, commitmentRefBytes(ref), Uint8Array.of(aboveZero ? 1 : 0));
}

/**
 * Returns whether the available balance is above zero.
 *
 * @throws DecryptionFailed
 */
export function decryptFlag(flagKey: Uint8Array, ref: CommitmentRef, flag: Uint8Array): boolean {
  const plain = decrypt(flagKey, commitmentRefBytes(ref), flag, "balance flag");
  if (plain.length !== 1 || (plain[0] !== 0 && plain[0] !== 1)) throw new DecryptionFailed("balance flag");
  return plain[0] === 1;
}
