import type { Address, Hex } from "viem";
import { seal, unseal } from "../crypto/aead";
import { concat, fromHex } from "../crypto/bytes";
import { UnsealFailed } from "../crypto/errors";
import { hkdf } from "../crypto/hkdf";
import type { Scope } from "../crypto/scope";
import { entryAad, openRoot, SEALED_ROOT_LENGTHS, sealRoot, unlockSecret } from "./seal-root";

const VERSION = 1;
const KIND_SECOND_WALLET = 3;

/** Bytes of a backup: a sealed root with one entry. */
export const BACKUP_LENGTH = SEALED_ROOT_LENGTHS[0];

/**
 * What opens a backup: a generated recovery code, or another wallet than the account's by its signature over
 * `unlockTypedData(scope, account)`, where `account` is the owner's address.
 */
export type BackupUnlock = { recoveryCode: string } | { wallet: Address; signature: Hex };

/**
 * Seals a further copy of a root (docs/protocol.md section 3). It has the form of a sealed root with one entry; that of
 * a second wallet is of a kind of its own, and names the account as well as the wallet.
 */
export function sealBackup(root: Uint8Array, scope: Scope, account: Address, unlock: BackupUnlock): Uint8Array {
  if ("recoveryCode" in unlock) return sealRoot(root, scope, account, [unlock]);
  if (root.length !== 32) throw new RangeError("a root has 32 bytes");
  if (unlock.wallet.toLowerCase() === account.toLowerCase()) throw new RangeError("a second wallet is another one");
  const sealed = seal(secondWalletKey(unlock.signature, scope), secondWalletAad(scope, account, unlock.wallet), root);
  return concat(Uint8Array.of(VERSION, 1, KIND_SECOND_WALLET), sealed);
}

/**
 * Opens a backup.
 *
 * @throws UnsealFailed for another account, wallet, network or signature, or when it is damaged; InvalidRecoveryCode on
 *   a mistyped code
 */
export function openBackup(blob: Uint8Array, scope: Scope, account: Address, unlock: BackupUnlock): Uint8Array {
  if ("recoveryCode" in unlock) return openRoot(blob, scope, account, unlock);
  const isBackup = blob.length === BACKUP_LENGTH && blob[0] === VERSION && blob[1] === 1;
  if (!isBackup || blob[2] !== KIND_SECOND_WALLET) throw new UnsealFailed("backup");
  const aad = secondWalletAad(scope, account, unlock.wallet);
  return unseal(secondWalletKey(unlock.signature, scope), aad, blob.subarray(3), "backup");
}

/** A label of its own: the account's wallet and a second one never have a key in common. */
function secondWalletKey(signature: Hex, scope: Scope): Uint8Array {
  return hkdf(unlockSecret(signature), "root by second wallet", scope);
}

function secondWalletAad(scope: Scope, account: Address, wallet: Address): Uint8Array {
  return concat(entryAad(scope, account, KIND_SECOND_WALLET), fromHex(wallet));
}
