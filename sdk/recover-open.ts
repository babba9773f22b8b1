import { type Address, type Hex, isAddressEqual } from "viem";
import { toHex } from "@/lib/ledger/bytes";
import type { Scope } from "@/lib/ledger/scope";
import { rootIn, unlockOf } from "./backup-opener";
import type { Chain } from "./chain";
import { HalcyonError } from "./errors";
import { findSealedRoot } from "./recover-scan";
import { FIRST_SECRET, unlock, type Vault, vaultOf } from "./vault";
import type { Wallet } from "./wallet";

/** Whose key is to be opened, and with what. */
export interface RecoverKey {
  account: Address;
  recoveryCode?: string;
  /** A sealed copy; the one of the account's `Enrolled` event when left out. */
  backup?: Hex;
}

/** So many budget secrets are tried for the one the ledger knows: rotations are rare. */
const VERSIONS = 256;

/** The keys of a root, with the budget secret whose spender the ledger has now; the first one when it has none of them. */
function vaultNow(root: Uint8Array, scope: Scope, spender: Address): Vault {
  const first = vaultOf(root, scope, FIRST_SECRET);
  if (isAddressEqual(first.spender.address, spender)) return first;
  for (let version = FIRST_SECRET + 1; version <= VERSIONS; version++) {
    const vault = vaultOf(root, scope, version);
    if (isAddressEqual(vault.spender.address, spender)) return vault;
  }
  return first;
}

/**
 * The keys of an account from chain data: by its own wallet, by a recovery code, or by a backup and the wallet it was
 * made for.
 *
 * @param wallet asked for a signature where no code is given
 * @throws InvalidRecoveryCode; HalcyonError `invalid_request` when it does not open to the account's keys
 */
export async function openRecovered(
  chain: Chain,
  scope: Scope,
  wallet: () => Wallet,
  { account, recoveryCode, backup }: RecoverKey,
  from: bigint,
): Promise<Vault> {
  const { viewingKey, spender } = await chain.account(account);
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
    const vault = vaultNow(root, scope, spender);
    root.fill(0);
    if (toHex(vault.viewingKey.publicKey) === viewingKey.toLowerCase()) return vault;
  }
  const what = recoveryCode === undefined ? "This wallet" : "This recovery code";
  const where = backup === undefined ? "the copy on the ledger" : "this backup";
  throw new HalcyonError(
    "invalid_request",
    `${what} does not open ${where} of ${account}. Check that they are of one account, network and ledger.`,
  );
}
