import { type Address, type Hex, isAddressEqual } from "viem";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { deriveAuthority } from "@/lib/ledger/crypto/keys";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { HalcyonError } from "../api/errors";
import type { Chain } from "../chain/chain";
import { findEncryptedAccountKey } from "../chain/recover-scan";
import type { Wallet } from "../chain/wallet";
import { accountKeyIn, unlockOf } from "../context/vault/backup-opener";
import {
  decryptOwnAccountKey,
  FIRST_SECRET,
  registeredVault,
  type Vault,
  vaultOf,
  vaultOfPaymentKey,
} from "../context/vault/vault";

/** The account whose key to decrypt, and the means to do so. */
export interface RecoverKey {
  account: Address;
  recoveryCode?: string;
  /** An encrypted copy. Default: the one in the account's `Enrolled` event. */
  backup?: Hex;
}

/** The keys of an account, and the authorities from which its one-time addresses are derived. */
export interface Recovered extends Vault {
  /** The authority of every version of the account secret that may have existed, newest first. */
  authorities: Uint8Array[];
}

/** How many versions to try if no version matches the ledger's payment key, because someone stopped it. */
const TRIED = 16;

/** Adds every authority of the account key to the keys, and erases the account key. */
function recovered(accountKey: Uint8Array, scope: Scope, paymentKey: Address, vault: Vault): Recovered {
  const versions = vaultOfPaymentKey(accountKey, scope, paymentKey)?.secretVersion ?? TRIED;
  const authorities = Array.from({ length: versions }, (_, n) => deriveAuthority(accountKey, scope, versions - n));
  accountKey.fill(0);
  return { ...vault, authorities };
}

/**
 * Decrypts the keys of an account from chain data: with its own wallet, with a recovery code, or with a backup and the
 * wallet it was created for.
 *
 * @param wallet signs if there is no recovery code
 * @throws InvalidRecoveryCode; HalcyonError `invalid_request` when the result is not the account's keys
 */
export async function decryptRecovered(
  chain: Chain,
  scope: Scope,
  wallet: () => Wallet,
  { account, recoveryCode, backup }: RecoverKey,
  from: bigint,
): Promise<Recovered> {
  const { viewingKey, signer: paymentKey } = await chain.account(account);
  const encrypted = backup ?? (await findEncryptedAccountKey(chain, account, from));
  if (recoveryCode === undefined && isAddressEqual(wallet().address, account)) {
    const accountKey = await decryptOwnAccountKey(wallet(), scope, encrypted);
    return recovered(accountKey, scope, paymentKey, registeredVault(accountKey, scope, FIRST_SECRET, viewingKey));
  }
  if (recoveryCode === undefined && backup === undefined) {
    throw new HalcyonError(
      "invalid_request",
      "Another wallet opens only a backup that was made for it: name its file, or a recovery code.",
    );
  }
  const opener = recoveryCode === undefined ? { wallet: wallet() } : { recoveryCode };
  const accountKey = accountKeyIn(encrypted, scope, account, await unlockOf(scope, account, opener));
  if (accountKey) {
    const vault = vaultOfPaymentKey(accountKey, scope, paymentKey) ?? vaultOf(accountKey, scope, FIRST_SECRET);
    const open = recovered(accountKey, scope, paymentKey, vault);
    if (toHex(vault.viewingKey.publicKey) === viewingKey.toLowerCase()) return open;
  }
  const what = recoveryCode === undefined ? "This wallet" : "This recovery code";
  const where = backup === undefined ? "the copy on the ledger" : "this backup";
  throw new HalcyonError(
    "invalid_request",
    `${what} does not decrypt ${where} of ${account}. Check that they belong to one account, network and ledger.`,
  );
}
