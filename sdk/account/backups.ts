import type { Hex } from "viem";
import { equalBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { DecryptionFailed } from "@/lib/ledger/crypto/errors";
import { decryptBackup, encryptBackup } from "@/lib/ledger/encrypted/account-key-backup";
import { HalcyonError } from "../api/errors";
import type { Wallet } from "../chain/wallet";
import type { Context } from "../context/context";
import { accountKeyIn, type BackupDecrypter, unlockOf } from "../context/vault/backup-opener";
import { decryptOwnAccountKey, vaultOf } from "../context/vault/vault";

/** An encrypted copy of the account key, as listed by `GET /api/backups`. */
export interface Backup {
  backup_id: string;
  kind: "recovery_code" | "wallet";
  label: string;
  /** The address of the wallet that decrypts it; null for a recovery code. */
  address: string | null;
  /** 75 bytes. */
  encrypted: Hex;
  created_at: string;
}

/**
 * Encrypts another copy of the account key (docs/protocol.md section 3) and stores it with the service, which cannot
 * decrypt it. Decrypts the account key with one signature of the account's wallet, and erases it afterwards.
 *
 * @param wallet the account's wallet, for callers that show what the signature is for
 * @throws HalcyonError `invalid_request` when the second wallet is the account's own or signs differently each time,
 * and when the account has the maximum number of backups
 */
export async function createBackup(
  context: Context,
  input: { label: string; opener: BackupDecrypter },
  wallet: Wallet = context.wallet,
): Promise<Backup> {
  const [{ encrypted_account_key }, scope, session] = await Promise.all([
    context.account(),
    context.scope(),
    context.session(),
  ]);
  if (!encrypted_account_key) throw new HalcyonError("not_found", "This wallet is not enrolled on this network yet.");
  const accountKey = await decryptOwnAccountKey(wallet, scope, encrypted_account_key, context.recoveryCode);
  try {
    const unlock = await unlockOf(scope, wallet.address, input.opener, true);
    const encrypted = encryptBackup(accountKey, scope, wallet.address, unlock);
    // Don't keep a backup that can't be decrypted again.
    if (!equalBytes(decryptBackup(encrypted, scope, wallet.address, unlock), accountKey))
      throw new DecryptionFailed("backup");
    const kind = "wallet" in unlock ? { kind: "wallet", address: unlock.wallet } : { kind: "recovery_code" };
    return await session.post<Backup>("/api/backups", { ...kind, label: input.label, encrypted: toHex(encrypted) });
  } finally {
    accountKey.fill(0);
  }
}

/**
 * Decrypts a backup, or the ledger's copy under a recovery code, and compares the derived keys with the account's.
 * Resolves if they are the same.
 *
 * @throws HalcyonError `invalid_request` when it can't be decrypted, or holds another account's keys
 */
export async function testBackup(context: Context, input: { encrypted: Hex; opener: BackupDecrypter }): Promise<void> {
  const [scope, vault] = await Promise.all([context.scope(), context.vault()]);
  const { address } = context.wallet;
  const accountKey = accountKeyIn(input.encrypted, scope, address, await unlockOf(scope, address, input.opener));
  if (!accountKey) {
    const what = "recoveryCode" in input.opener ? "This recovery code" : "This wallet";
    const message = `${what} does not decrypt this backup. Check that they belong together, or create another backup.`;
    throw new HalcyonError("invalid_request", message);
  }
  const opened = vaultOf(accountKey, scope, vault.secretVersion);
  accountKey.fill(0);
  if (equalBytes(opened.viewingKey.publicKey, vault.viewingKey.publicKey)) return;
  throw new HalcyonError(
    "invalid_request",
    "The backup opens, but to the key of another account. Make another backup.",
  );
}
