import type { Address } from "viem";
import { AEAD_OVERHEAD, decrypt, encrypt } from "../crypto/aead";
import { bigintToBytes, concat, fromHex } from "../crypto/bytes";
import { DecryptionFailed } from "../crypto/errors";
import { hkdf } from "../crypto/hkdf";
import type { Scope } from "../crypto/scope";
import { paddedLength, padText, unpadText } from "../encrypted/padded-text";
import { isVerifierName } from "./funds-statement";

const WHAT = "record of proofs of funds";
const RECORD_BYTES = 16_384;

/** Length of every encrypted record in bytes, regardless of its content. */
export const ENCRYPTED_SHOWN_FUNDS_LENGTH = paddedLength(RECORD_BYTES) + AEAD_OVERHEAD;

/** What a verifier has asked about one asset. */
export interface ShownFunds {
  /** The name as the owner last wrote it. */
  verifier: string;
  asset: Address;
  /** The highest minimum shown, in units; 0 if none was. */
  highest: bigint;
  /** When the verifier last asked, whether or not a proof was made. */
  askedAt: Date;
}

/**
 * Derives the record's key from the account key's seed key. So it survives rotations of the account secret, and a
 * viewing key is not enough to decrypt the record.
 */
function recordKey(seedKey: Uint8Array, scope: Scope): Uint8Array {
  return hkdf(seedKey, "shown funds", scope);
}

function recordAad(scope: Scope, account: Address, version: number): Uint8Array {
  return concat(
    bigintToBytes(BigInt(scope.chainId), 32),
    fromHex(scope.ledger),
    fromHex(account),
    bigintToBytes(BigInt(version), 8),
  );
}

/**
 * Encrypts an account's record of the minimums it has shown, for the service to store. All records have the same
 * length, and the ciphertext is bound to its version.
 */
export function encryptShownFunds(
  seedKey: Uint8Array,
  scope: Scope,
  account: Address,
  version: number,
  record: readonly ShownFunds[],
): Uint8Array {
  const entries = record.map(({ verifier, asset, highest, askedAt }) => [
    verifier,
    asset,
    highest.toString(),
    askedAt.toISOString(),
  ]);
  const padded = padText(JSON.stringify(entries), RECORD_BYTES);
  return encrypt(recordKey(seedKey, scope), recordAad(scope, account, version), padded);
}

/**
 * Parses an entry that `encryptShownFunds` wrote.
 *
 * @throws DecryptionFailed for anything else
 */
function readEntry(entry: unknown): ShownFunds {
  const [verifier, asset, highest, askedAt] = (Array.isArray(entry) ? entry : []).map(String);
  const time = new Date(askedAt ?? "");
  const isSound = verifier && isVerifierName(verifier) && /^0x[0-9a-f]{40}$/.test(asset ?? "");
  if (!isSound || !/^[0-9]{1,20}$/.test(highest ?? "") || Number.isNaN(time.getTime()))
    throw new DecryptionFailed(WHAT);
  return { verifier, asset: asset as Address, highest: BigInt(highest ?? ""), askedAt: time };
}

/**
 * Decrypts a record.
 *
 * @throws DecryptionFailed if account, ledger, account key or version differ, or it is damaged
 */
export function decryptShownFunds(
  seedKey: Uint8Array,
  scope: Scope,
  account: Address,
  version: number,
  encrypted: Uint8Array,
): ShownFunds[] {
  const aad = recordAad(scope, account, version);
  const padded = decrypt(recordKey(seedKey, scope), aad, encrypted, WHAT);
  try {
    const entries: unknown = JSON.parse(unpadText(padded, WHAT));
    if (!Array.isArray(entries)) throw new DecryptionFailed(WHAT);
    return entries.map(readEntry);
  } catch {
    throw new DecryptionFailed(WHAT);
  }
}
