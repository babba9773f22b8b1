import type { Hex } from "viem";
import { fromHex, toHex } from "@/lib/ledger/bytes";
import { UnsealFailed } from "@/lib/ledger/errors";
import {
  deriveBudgetSecret,
  deriveSpender,
  deriveViewingKey,
  type SpenderKey,
  type X25519Keys,
} from "@/lib/ledger/keys";
import type { Scope } from "@/lib/ledger/scope";
import { openRoot, unlocksAlike, unlockTypedData } from "@/lib/ledger/seal-root";
import { deriveSeedKey } from "@/lib/ledger/seed";
import { HalcyonError } from "./errors";
import type { Wallet } from "./wallet";

/** The keys of an unlocked account. They live in memory and leave it only sealed. */
export interface Vault {
  viewingKey: X25519Keys;
  /** The budget secret s of the account's current version. */
  secret: Uint8Array;
  secretVersion: number;
  spender: SpenderKey;
  /** What the seeds of payments follow from: of the root alone, whatever the version. */
  seedKey: Uint8Array;
}

/** The version an account's budget secret has from its enrolment until it is rotated. */
export const FIRST_SECRET = 1;

/** Spenders are replaced by rotating the secret, not by waiting: the end of uint64 that a JSON number still holds. */
export const SPENDER_UNTIL = 2n ** 48n - 1n;

/** The wallet's unlock signature. It is a key and goes nowhere. */
function signOnce(wallet: Wallet, scope: Scope): Promise<Hex> {
  return wallet.signTypedData(unlockTypedData(scope, wallet.address));
}

/** Signs again; throws when the wallet answers differently each time: it would lock its owner out for ever. */
async function signAlike(wallet: Wallet, scope: Scope, first: Hex): Promise<void> {
  if (unlocksAlike(first, await signOnce(wallet, scope))) return;
  throw new HalcyonError(
    "invalid_request",
    "This wallet signs the same message differently each time, so it cannot keep the key of an account. Use another.",
  );
}

/** The unlock signature to seal a root under: signed twice. */
export async function signUnlock(wallet: Wallet, scope: Scope): Promise<Hex> {
  const signature = await signOnce(wallet, scope);
  await signAlike(wallet, scope, signature);
  return signature;
}

/** The keys that follow from a root. */
export function vaultOf(root: Uint8Array, scope: Scope, secretVersion: number): Vault {
  const secret = deriveBudgetSecret(root, scope, secretVersion);
  return {
    viewingKey: deriveViewingKey(root, scope),
    secret,
    secretVersion,
    spender: deriveSpender(secret, scope),
    seedKey: deriveSeedKey(root, scope),
  };
}

/**
 * The root of the wallet's account, by one signature. Throws `UnsealFailed` when it does not open, and HalcyonError when
 * that is because the wallet signs differently each time.
 */
export async function openOwnRoot(wallet: Wallet, scope: Scope, sealedRoot: Hex): Promise<Uint8Array> {
  const signature = await signOnce(wallet, scope);
  try {
    return openRoot(fromHex(sealedRoot), scope, wallet.address, { signature });
  } catch (error) {
    if (error instanceof UnsealFailed) await signAlike(wallet, scope, signature);
    throw error;
  }
}

/**
 * Opens a sealed root with the wallet and compares the viewing key with the one on the ledger.
 *
 * @param registered X of the account as the chain has it
 * @throws HalcyonError when the viewing key differs; UnsealFailed when the root does not open
 */
export async function unlock(
  wallet: Wallet,
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
