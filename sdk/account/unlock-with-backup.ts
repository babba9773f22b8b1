import { toHex } from "@/lib/ledger/crypto/bytes";
import { parseRecoveryCode } from "@/lib/ledger/crypto/recovery-code";
import { HalcyonError } from "../api/errors";
import type { Context } from "../context/context";
import { requireInForce } from "../context/require-in-force";
import { accountKeyIn, type BackupDecrypter, unlockOf } from "../context/vault/backup-opener";
import { vaultOf } from "../context/vault/vault";
import type { Backup } from "./backups";

const WRONG_CODE =
  "This recovery code opens no copy of your account's key. Check that it is of this account and network.";
const WRONG_WALLET =
  "This wallet opens no copy of your account's key. Connect the wallet a backup of this account was made for.";
const NO_COPY =
  "No backup of this account was made for a second wallet. One is made under Settings, Security, while the account is unlocked.";

/**
 * Decrypts the account's keys with a recovery code or a second wallet, for an owner whose own wallet is not available
 * or now signs differently. Tries the copy on the ledger and the backups. The context keeps the keys, as after an
 * unlock.
 *
 * @throws InvalidRecoveryCode for a mistyped code; HalcyonError `invalid_request` when nothing can be decrypted with it
 */
export async function unlockWithBackup(context: Context, opener: BackupDecrypter): Promise<void> {
  const byCode = "recoveryCode" in opener;
  if (byCode) parseRecoveryCode(opener.recoveryCode);
  const { address } = context.wallet;
  const [{ encrypted_account_key, secret_version }, scope, chain, session] = await Promise.all([
    context.account(),
    context.scope(),
    context.chain(),
    context.session(),
  ]);
  const [registered, { backups }] = await Promise.all([
    chain.viewingKey(address),
    session.get<{ backups: Backup[] }>("/api/backups"),
  ]);
  const copies = backups.filter(({ kind }) => (kind === "recovery_code") === byCode).map(({ encrypted }) => encrypted);
  // A second wallet decrypts only backups: the copy on the ledger is encrypted for the account's own wallet and a code.
  if (byCode && encrypted_account_key) copies.unshift(encrypted_account_key);
  if (!byCode && copies.length === 0) throw new HalcyonError("invalid_request", NO_COPY);
  const unlock = await unlockOf(scope, address, opener);
  for (const encrypted of copies) {
    const accountKey = accountKeyIn(encrypted, scope, address, unlock);
    if (!accountKey) continue;
    const vault = vaultOf(accountKey, scope, secret_version);
    accountKey.fill(0);
    if (toHex(vault.viewingKey.publicKey) !== registered?.toLowerCase()) continue;
    await requireInForce(context, vault);
    return context.keepVault(vault);
  }
  throw new HalcyonError("invalid_request", byCode ? WRONG_CODE : WRONG_WALLET);
}
