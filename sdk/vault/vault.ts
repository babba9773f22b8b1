import { type Address, type Hex, isAddressEqual, recoverTypedDataAddress } from "viem";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { UnsealFailed } from "@/lib/ledger/crypto/errors";
import {
  deriveBudgetSecret,
  deriveSpender,
  deriveViewingKey,
  type SpenderKey,
  type X25519Keys,
} from "@/lib/ledger/crypto/keys";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { deriveSeedKey } from "@/lib/ledger/crypto/seed";
import { openRoot, unlocksAlike, unlockTypedData } from "@/lib/ledger/seal/seal-root";
import { HalcyonError } from "../api/errors";
import type { Wallet } from "../chain/wallet";

/** The keys of an unlocked account. They live in memory and leave it only encrypted. */
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

/** A spender is registered for a year: a leaked secret ends by itself. The service takes 366 days at most. */
const SPENDER_SECONDS = 365n * 86_400n;

/** Until when a spender that is registered now may sign, in Unix seconds. */
export function spenderUntilFrom(now = Date.now()): bigint {
  return BigInt(Math.floor(now / 1000)) + SPENDER_SECONDS;
}

/** The wallet's unlock signature. It is a key and goes nowhere. */
function signOnce(wallet: Wallet, scope: Scope): Promise<Hex> {
  return wallet.signTypedData(unlockTypedData(scope, wallet.address));
}

/** Signs again; throws when the wallet signs differently each time: it would lock its owner out forever. */
async function signAlike(wallet: Wallet, scope: Scope, first: Hex): Promise<void> {
  if (unlocksAlike(first, await signOnce(wallet, scope))) return;
  throw new HalcyonError(
    "invalid_request",
    "This wallet signs the same message differently each time, so it cannot keep the key of an account. Use another.",
  );
}

/**
 * The unlock signature to encrypt a root under: signed twice, by the key of the wallet's own address. A contract of one
 * signer returns that signer's 65 bytes, the same each time, until its signer changes: the root would be lost with it.
 *
 * @throws HalcyonError `invalid_request` for a wallet that signs differently each time, or by another address's key
 */
export async function signUnlock(wallet: Wallet, scope: Scope): Promise<Hex> {
  const signature = await signOnce(wallet, scope);
  await signAlike(wallet, scope, signature);
  const data = unlockTypedData(scope, wallet.address);
  const signer = await recoverTypedDataAddress({ ...data, signature }).catch(() => null);
  if (signer !== null && isAddressEqual(signer, wallet.address)) return signature;
  throw new HalcyonError(
    "invalid_request",
    "This signature is not by the key of the wallet's address. Use that key. The account of a contract wallet is " +
      "decrypted by a recovery code alone: create one first.",
    { param: "recoveryCode" },
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
    seedKey: deriveSeedKey(root, scope),
  };
}

/** So many budget secrets are tried for the one the ledger knows: rotations are rare. */
const VERSIONS = 256;

/** The keys of the version whose spender the ledger has; null when it has none of them. */
export function vaultOfSpender(root: Uint8Array, scope: Scope, spender: Address): Vault | null {
  for (let version = FIRST_SECRET; version <= VERSIONS; version++) {
    const vault = vaultOf(root, scope, version);
    if (isAddressEqual(vault.spender.address, spender)) return vault;
  }
  return null;
}

/** The highest version whose spender is among these; 0 when none is. */
export function lastVersionOf(root: Uint8Array, scope: Scope, spenders: readonly Address[]): number {
  const ours = new Set(spenders.map((spender) => spender.toLowerCase()));
  let last = 0;
  for (let version = FIRST_SECRET; version <= VERSIONS && ours.size > 0; version++) {
    if (ours.delete(vaultOf(root, scope, version).spender.address.toLowerCase())) last = version;
    // Versions are used one after the other: what is not found soon was never one of this root's.
    if (version > last + 16) break;
  }
  return last;
}

/** The refusal to unlock the account of a contract wallet with its signature. */
export function needsRecoveryCode(): HalcyonError {
  return new HalcyonError(
    "unauthorized",
    "A contract wallet signs differently each time, so its account is unlocked by the recovery code it was created with.",
    { param: "recoveryCode" },
  );
}

/**
 * The root of the wallet's account, by one signature, or by a recovery code, as contract wallets need it. Throws
 * `UnsealFailed` when it can't be decrypted, and HalcyonError when that is because the wallet signs differently each time.
 */
export async function openOwnRoot(
  wallet: Wallet,
  scope: Scope,
  sealedRoot: Hex,
  recoveryCode?: string,
): Promise<Uint8Array> {
  if (recoveryCode !== undefined) return openRoot(fromHex(sealedRoot), scope, wallet.address, { recoveryCode });
  if (wallet.isContract) throw needsRecoveryCode();
  const signature = await signOnce(wallet, scope);
  try {
    return openRoot(fromHex(sealedRoot), scope, wallet.address, { signature });
  } catch (error) {
    if (error instanceof UnsealFailed) await signAlike(wallet, scope, signature);
    throw error;
  }
}

/**
 * Decrypts the root with the wallet and compares the viewing key with the one on the ledger.
 *
 * @param registered X of the account as the chain has it
 * @throws HalcyonError when the viewing key differs; UnsealFailed when the root can't be decrypted
 */
export async function unlock(
  wallet: Wallet,
  scope: Scope,
  sealedRoot: Hex,
  registered: Hex,
  secretVersion: number,
  recoveryCode?: string,
): Promise<Vault> {
  return registeredVault(await openOwnRoot(wallet, scope, sealedRoot, recoveryCode), scope, secretVersion, registered);
}

/**
 * The keys that follow from a root, if its viewing key is the one on the ledger.
 *
 * @throws HalcyonError `internal` when it is another
 */
export function registeredVault(root: Uint8Array, scope: Scope, secretVersion: number, registered: Hex): Vault {
  const vault = vaultOf(root, scope, secretVersion);
  if (toHex(vault.viewingKey.publicKey) === registered.toLowerCase()) return vault;
  throw new HalcyonError(
    "internal",
    "The encrypted account key has another viewing key than the ledger has for this account. Stop, and ask for help.",
  );
}
