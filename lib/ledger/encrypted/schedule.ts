import type { Address } from "viem";
import { AEAD_OVERHEAD, decrypt, encrypt } from "../crypto/aead";
import { bigintToBytes, concat, fromHex, utf8 } from "../crypto/bytes";
import { LedgerError } from "../crypto/errors";
import { hkdf } from "../crypto/hkdf";
import type { Scope } from "../crypto/scope";
import { paddedLength, padText, unpadText } from "./padded-text";

/** Lengths are multiples of this many bytes, so that they hardly reveal how many recipients there are. */
const BLOCK = 2_048;
/** Enough for 12 parts of 16 payments with short memos, or one part with the longest memos. */
const MOST_BLOCKS = 24;

/** The maximum length of an encrypted schedule, in bytes. */
export const ENCRYPTED_SCHEDULE_MAX_LENGTH = BLOCK * MOST_BLOCKS + AEAD_OVERHEAD;

/** Identifies a schedule and its version. */
export interface ScheduleRef {
  scope: Scope;
  account: Address;
  /** `sch_` and a ULID. */
  id: string;
  /** Starts at 1 and increases by one with each change. */
  version: number;
}

/**
 * Returns the aad: a role, then chain (32) || ledger (20) || account (20) || version (8) || id. The field without a
 * fixed width is last.
 */
function aadOf({ scope, account, id, version }: ScheduleRef): Uint8Array {
  const place = concat(bigintToBytes(BigInt(scope.chainId), 32), fromHex(scope.ledger), fromHex(account));
  return concat(utf8("halcyon/1/schedule"), place, bigintToBytes(BigInt(version), 8), utf8(id));
}

/**
 * Encrypts a schedule's text under HKDF(s, "schedule"), bound to its account, id and version, so that no version can be
 * passed off as another.
 *
 * @throws LedgerError if it is too long
 */
export function encryptSchedule(secret: Uint8Array, ref: ScheduleRef, text: string): Uint8Array {
  const blocks = Math.ceil(paddedLength(utf8(text).length) / BLOCK);
  if (blocks > MOST_BLOCKS) throw new LedgerError("This schedule is too long. Shorten its memos.");
  const padded = padText(text, blocks * BLOCK - paddedLength(0));
  return encrypt(hkdf(secret, "schedule", ref.scope), aadOf(ref), padded);
}

/**
 * Decrypts the output of `encryptSchedule`.
 *
 * @throws DecryptionFailed, also for another version of the same schedule
 */
export function decryptSchedule(secret: Uint8Array, ref: ScheduleRef, encrypted: Uint8Array): string {
  return unpadText(decrypt(hkdf(secret, "schedule", ref.scope), aadOf(ref), encrypted, "schedule"), "schedule");
}
