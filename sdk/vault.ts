import type { Hex, LocalAccount } from "viem";
import { fromHex, toHex } from "@/lib/ledger/bytes";
import {
  deriveBudgetSecret,
  deriveSpender,
  deriveViewingKey,
  type SpenderKey,
  type X25519Keys,
} from "@/lib/ledger/keys";
import type { Scope } from "@/lib/ledger/scope";
import { openRoot, unlocksAlike, unlockTypedData } from "@/lib/ledger/seal-root";
import { HalcyonError } from "./errors";

/** The keys of an unlocked account. They live in memory and leave it only sealed. */
export interface Vault {
  viewingKey: X25519Keys;
  /** The budget secret s of the account's current version. */
  secret: Uint8Array;
  secretVersion: number;
  spender: SpenderKey;
}

/**
 * The wallet's unlock signature. Signed twice: a wallet that answers differently each time would lock its owner out
 * for ever. The signature is a key and goes nowhere.
 */
export async function signUnlock(wallet: LocalAccount, scope: Scope): Promise<Hex> {
  const message = unlockTypedData(scope, wallet.address);
  const [first, second] = [await wallet.signTypedData(message), await wallet.signTypedData(message)];
  if (unlocksAlike(first, second)) return first;
  throw new HalcyonError(
    "invalid_request",
    "This wallet signs the same message differently each time, so it cannot keep the key of an account. Use another.",
  );
}

/** The keys that follow from a root. */
export function vaultOf(root: Uint8Array, scope: Scope, secretVersion: number): Vault {
  const secret = deriveBudgetSecret(root, scope, secretVersion);
  return {
    viewingKey: deriveViewingKey(root, scope),
    secret,
    secretVersion,
    spender: deriveSpender(secret, scope),
  };
}

/** The root of the wallet's account; throws `UnsealFailed` when it does not open. */
export async function openOwnRoot(wallet: LocalAccount, scope: Scope, sealedRoot: Hex): Promise<Uint8Array> {
  return openRoot(fromHex(sealedRoot), scope, wallet.address, { signature: await signUnlock(wallet, scope) });
}

/**
 * Opens a sealed root with the wallet and compares the viewing key with the one on the ledger.
 *
 * @param registered X of the account as the chain has it
 * @throws HalcyonError when the viewing key differs; UnsealFailed when the root does not open
 */
export async function unlock(
  wallet: LocalAccount,
  scope: Scope,
  sealedRoot: Hex,
  registered: Hex,
  secretVersion: number,
): Promise<Vault> {
  const vault = vaultOf(await openOwnRoot(wallet, scope, sealedRoot), scope, secretVersion);
  if (toHex(vault.viewingKey.publicKey) === registered.toLowerCase()) return vault;
  throw new HalcyonError(
    "internal",
    "The sealed root opens to another viewing key than the ledger has for this account. Do not go on; ask for help.",
  );
}
