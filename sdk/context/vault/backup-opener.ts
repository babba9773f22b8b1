import { type Address, type Hex, isAddressEqual, recoverTypedDataAddress } from "viem";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { DecryptionFailed } from "@/lib/ledger/crypto/errors";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { unlocksAlike, unlockTypedData } from "@/lib/ledger/encrypted/account-key";
import { type BackupUnlock, decryptBackup } from "@/lib/ledger/encrypted/account-key-backup";
import { HalcyonError } from "../../api/errors";
import type { Wallet } from "../../chain/wallet";

/** A wallet that may decrypt a backup. It only signs; its address is recovered from the signature. */
export type SecondWallet = Pick<Wallet, "signTypedData">;

/** What decrypts a backup: a generated recovery code, or a wallet other than the account's. */
export type BackupDecrypter = { recoveryCode: string } | { wallet: SecondWallet };

/**
 * Returns what unlocks the backups of one account with a recovery code or a second wallet.
 *
 * @param encrypts true when encrypting a new backup: the wallet then signs twice, to check that its signatures are the
 * same
 * @throws HalcyonError `invalid_request` for the account's own wallet, and for a wallet that signs differently each
 * time
 */
export async function unlockOf(
  scope: Scope,
  account: Address,
  opener: BackupDecrypter,
  encrypts = false,
): Promise<BackupUnlock> {
  if ("recoveryCode" in opener) return opener;
  const data = unlockTypedData(scope, account);
  const signature = await opener.wallet.signTypedData(data);
  const wallet = await recoverTypedDataAddress({ ...data, signature });
  if (isAddressEqual(wallet, account)) {
    throw new HalcyonError("invalid_request", "This is the account's own wallet. Use another one.");
  }
  if (encrypts && !unlocksAlike(signature, await opener.wallet.signTypedData(data))) {
    const message =
      "This wallet signs the same message differently each time, so it could not decrypt the backup again. Use another.";
    throw new HalcyonError("invalid_request", message);
  }
  return { wallet, signature };
}

/**
 * Returns the account key in an encrypted copy, or null if `unlock` does not decrypt it.
 *
 * @throws InvalidRecoveryCode for a mistyped code
 */
export function accountKeyIn(encrypted: Hex, scope: Scope, account: Address, unlock: BackupUnlock): Uint8Array | null {
  try {
    return decryptBackup(fromHex(encrypted), scope, account, unlock);
  } catch (error) {
    if (error instanceof DecryptionFailed) return null;
    throw error;
  }
}
