import { type Address, type Hex, isAddressEqual } from "viem";
import { toHex } from "@/lib/ledger/crypto/bytes";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { HalcyonError } from "../api/errors";
import type { Chain } from "../chain/chain";
import type { Wallet } from "../chain/wallet";
import { rootIn, unlockOf } from "../vault/backup-opener";
import { FIRST_SECRET, unlock, type Vault, vaultOf, vaultOfSpender } from "../vault/vault";
import { findSealedRoot } from "./recover-scan";

/** Whose key is decrypted, and with what. */
export interface RecoverKey {
  account: Address;
  recoveryCode?: string;
  /** An encrypted copy; the one of the account's `Enrolled` event when left out. */
  backup?: Hex;
}

/**
 * The keys of an account from chain data: by its own wallet, by a recovery code, or by a backup and the wallet it was
 * made for.
 *
 * @param wallet asked for a signature where no code is given
 * @throws InvalidRecoveryCode; HalcyonError `invalid_request` when it does not give the account's keys
 */
export async function openRecovered(
  chain: Chain,
  scope: Scope,
  wallet: () => Wallet,
  { account, recoveryCode, backup }: RecoverKey,
  from: bigint,
): Promise<Vault> {
  const { viewingKey, signer: spender } = await chain.account(account);
  const sealed = backup ?? (await findSealedRoot(chain, account, from));
  if (recoveryCode === undefined && isAddressEqual(wallet().address, account)) {
    return unlock(wallet(), scope, sealed, viewingKey, FIRST_SECRET);
  }
  if (recoveryCode === undefined && backup === undefined) {
    throw new HalcyonError(
      "invalid_request",
      "Another wallet than the account's opens a backup that was made for it: name its file, or a recovery code.",
    );
  }
  const opener = recoveryCode === undefined ? { wallet: wallet() } : { recoveryCode };
  const root = rootIn(sealed, scope, account, await unlockOf(scope, account, opener));
  if (root) {
    const vault = vaultOfSpender(root, scope, spender) ?? vaultOf(root, scope, FIRST_SECRET);
    root.fill(0);
    if (toHex(vault.viewingKey.publicKey) === viewingKey.toLowerCase()) return vault;
  }
  const what = recoveryCode === undefined ? "This wallet" : "This recovery code";
  const where = backup === undefined ? "the copy on the ledger" : "this backup";
  throw new HalcyonError(
    "invalid_request",
    `${what} does not decrypt ${where} of ${account}. Check that they belong to one account, network and ledger.`,
  );
}
