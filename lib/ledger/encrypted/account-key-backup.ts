import type { Address, Hex } from "viem";
import { decrypt, encrypt } from "../crypto/aead";
import { concat, fromHex } from "../crypto/bytes";
import { DecryptionFailed } from "../crypto/errors";
import { hkdf } from "../crypto/hkdf";
import type { Scope } from "../crypto/scope";
import {
  decryptAccountKey,
  ENCRYPTED_ACCOUNT_KEY_LENGTHS,
  encryptAccountKey,
  entryAad,
  unlockSecret,
} from "./account-key";

const VERSION = 1;
const KIND_SECOND_WALLET = 3;

/** Length of a backup in bytes: an encrypted account key with one entry. */
export const BACKUP_LENGTH = ENCRYPTED_ACCOUNT_KEY_LENGTHS[0];

/**
 * What decrypts a backup: a generated recovery code, or the signature of a second wallet, not the account's own, over
 * `unlockTypedData(scope, account)`, where `account` is the owner's address.
 */
export type BackupUnlock = { recoveryCode: string } | { wallet: Address; signature: Hex };

/**
 * Encrypts another copy of an account key (docs/protocol.md section 3). It has the form of an encrypted account key
 * with one entry. The entry for a second wallet has its own kind, and names the account and the wallet.
 */
export function encryptBackup(
  accountKey: Uint8Array,
  scope: Scope,
  account: Address,
  unlock: BackupUnlock,
): Uint8Array {
  if ("recoveryCode" in unlock) return encryptAccountKey(accountKey, scope, account, [unlock]);
  if (accountKey.length !== 32) throw new RangeError("an account key has 32 bytes");
  if (unlock.wallet.toLowerCase() === account.toLowerCase()) throw new RangeError("a second wallet is another one");
  const encrypted = encrypt(
    secondWalletKey(unlock.signature, scope),
    secondWalletAad(scope, account, unlock.wallet),
    accountKey,
  );
  return concat(Uint8Array.of(VERSION, 1, KIND_SECOND_WALLET), encrypted);
}

/**
 * Decrypts a backup.
 *
 * @throws DecryptionFailed if account, wallet, network or signature differ, or it is damaged; InvalidRecoveryCode for a
 *   mistyped code
 */
export function decryptBackup(blob: Uint8Array, scope: Scope, account: Address, unlock: BackupUnlock): Uint8Array {
  if ("recoveryCode" in unlock) return decryptAccountKey(blob, scope, account, unlock);
  const isBackup = blob.length === BACKUP_LENGTH && blob[0] === VERSION && blob[1] === 1;
  if (!isBackup || blob[2] !== KIND_SECOND_WALLET) throw new DecryptionFailed("backup");
  const aad = secondWalletAad(scope, account, unlock.wallet);
  return decrypt(secondWalletKey(unlock.signature, scope), aad, blob.subarray(3), "backup");
}

/**
 * Derives the key from a second wallet's signature. Its own label ensures that it never equals the key of the account's
 * wallet.
 */
function secondWalletKey(signature: Hex, scope: Scope): Uint8Array {
  return hkdf(unlockSecret(signature), "root by second wallet", scope);
}

function secondWalletAad(scope: Scope, account: Address, wallet: Address): Uint8Array {
  return concat(entryAad(scope, account, KIND_SECOND_WALLET), fromHex(wallet));
}
