import { type Address, type Hex, isAddressEqual, recoverTypedDataAddress } from "viem";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { DecryptionFailed } from "@/lib/ledger/crypto/errors";
import {
  deriveAuthority,
  deriveKnowledge,
  derivePaymentKey,
  deriveViewingKey,
  type SigningKey,
  type X25519Keys,
} from "@/lib/ledger/crypto/keys";
import { deriveSeedKey } from "@/lib/ledger/crypto/payment-seed";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { decryptAccountKey, unlocksAlike, unlockTypedData } from "@/lib/ledger/encrypted/account-key";
import { HalcyonError } from "../../api/errors";
import type { Wallet } from "../../chain/wallet";

/** The keys of an unlocked account. They are kept in memory and leave it only encrypted. */
export interface Vault {
  viewingKey: X25519Keys;
  /** Knowledge k, the half of the account secret that decrypts, of the account's current version. */
  secret: Uint8Array;
  /** Authority a, the half that signs. */
  authority: Uint8Array;
  secretVersion: number;
  paymentKey: SigningKey;
  /**
   * The key from which seeds of payments are derived. It depends only on the account key, not on the secret's version.
   */
  seedKey: Uint8Array;
  /**
   * After a rotation by this client: every payment key that the ledger had before. Its block may still leave the chain.
   */
  replaced?: readonly Address[];
  /**
   * The pages of notes that this client can't decrypt, by where they begin. Anyone can send such notes, and they stay
   * forever, so each page is read once.
   */
  unreadable?: Map<string, { next: string | null | undefined; unreadable: number }>;
}

/** The version of an account secret from its enrollment until it is rotated. */
export const FIRST_SECRET = 1;

/** A payment key is registered for a year, so that a leaked secret expires. The service accepts 366 days at most. */
const PAYMENT_KEY_SECONDS = 365n * 86_400n;

/** Returns until when a payment key registered now may sign, in Unix seconds. */
export function paymentKeyUntilFrom(now = Date.now()): bigint {
  return BigInt(Math.floor(now / 1000)) + PAYMENT_KEY_SECONDS;
}

/** Returns the wallet's unlock signature. It is a key: never send it anywhere. */
function signOnce(wallet: Wallet, scope: Scope): Promise<Hex> {
  return wallet.signTypedData(unlockTypedData(scope, wallet.address));
}

/** Signs again. Throws if the signatures differ, because such a wallet would lock its owner out for good. */
async function signAlike(wallet: Wallet, scope: Scope, first: Hex): Promise<void> {
  if (unlocksAlike(first, await signOnce(wallet, scope))) return;
  throw new HalcyonError(
    "invalid_request",
    "This wallet signs a message differently each time, so it can't keep an account's key. Use another.",
  );
}

/**
 * Returns the unlock signature under which to encrypt an account key. The wallet signs twice, and the signature must be
 * by the key of the wallet's own address. A contract with one signer would return that signer's 65 bytes, the same each
 * time, but only until its signer changes; the account key would then be lost.
 *
 * @throws HalcyonError `invalid_request` for a wallet that signs differently each time, or with the key of another
 * address
 */
export async function signUnlock(wallet: Wallet, scope: Scope): Promise<Hex> {
  const signature = await signOnce(wallet, scope);
  await signAlike(wallet, scope, signature);
  const data = unlockTypedData(scope, wallet.address);
  const signer = await recoverTypedDataAddress({ ...data, signature }).catch(() => null);
  if (signer !== null && isAddressEqual(signer, wallet.address)) return signature;
  throw new HalcyonError(
    "invalid_request",
    `This signature is not by the key of the wallet's address. Use that key. ${NEEDS_CODE}: create one first.`,
    { param: "recoveryCode" },
  );
}

/** How the account of a contract wallet is unlocked, for people. */
export const NEEDS_CODE = "A contract wallet signs differently each time, so only a recovery code decrypts its account";

/** Derives the keys from an account key. */
export function vaultOf(accountKey: Uint8Array, scope: Scope, secretVersion: number): Vault {
  const authority = deriveAuthority(accountKey, scope, secretVersion);
  return {
    viewingKey: deriveViewingKey(accountKey, scope),
    secret: deriveKnowledge(accountKey, scope, secretVersion),
    authority,
    secretVersion,
    paymentKey: derivePaymentKey(authority, scope),
    seedKey: deriveSeedKey(accountKey, scope),
  };
}

/** How many account secrets to try to find the ledger's: rotations are rare. */
const VERSIONS = 256;

/** Returns the keys of the version whose payment key the ledger has; null when no version matches. */
export function vaultOfPaymentKey(accountKey: Uint8Array, scope: Scope, paymentKey: Address): Vault | null {
  for (let version = FIRST_SECRET; version <= VERSIONS; version++) {
    const vault = vaultOf(accountKey, scope, version);
    if (isAddressEqual(vault.paymentKey.address, paymentKey)) return vault;
  }
  return null;
}

/** Returns the highest version whose payment key is in the list; 0 if there is none. */
export function lastVersionOf(accountKey: Uint8Array, scope: Scope, paymentKeys: readonly Address[]): number {
  const ours = new Set(paymentKeys.map((paymentKey) => paymentKey.toLowerCase()));
  let last = 0;
  for (let version = FIRST_SECRET; version <= VERSIONS && ours.size > 0; version++) {
    if (ours.delete(vaultOf(accountKey, scope, version).paymentKey.address.toLowerCase())) last = version;
    // Versions are used one after the other: payment keys not found within 16 versions never belonged to this account
    // key.
    if (version > last + 16) break;
  }
  return last;
}

/** Creates the error for unlocking the account of a contract wallet with its signature. */
export function needsRecoveryCode(): HalcyonError {
  return new HalcyonError("unauthorized", `${NEEDS_CODE}: use the one that it was created with.`, {
    param: "recoveryCode",
  });
}

/**
 * Decrypts the account key of the wallet's account with one signature, or with a recovery code, which contract wallets
 * need.
 *
 * @throws DecryptionFailed when it can't be decrypted; HalcyonError when that is because the wallet signs differently
 * each time
 */
export async function decryptOwnAccountKey(
  wallet: Wallet,
  scope: Scope,
  encryptedAccountKey: Hex,
  recoveryCode?: string,
): Promise<Uint8Array> {
  if (recoveryCode !== undefined)
    return decryptAccountKey(fromHex(encryptedAccountKey), scope, wallet.address, { recoveryCode });
  if (wallet.isContract) throw needsRecoveryCode();
  const signature = await signOnce(wallet, scope);
  try {
    return decryptAccountKey(fromHex(encryptedAccountKey), scope, wallet.address, { signature });
  } catch (error) {
    if (error instanceof DecryptionFailed) await signAlike(wallet, scope, signature);
    throw error;
  }
}

/**
 * Decrypts the account key with the wallet and compares the viewing key with the one on the ledger.
 *
 * @param registered X of the account on the chain
 * @throws HalcyonError when the viewing key differs; DecryptionFailed when the account key can't be decrypted
 */
export async function unlock(
  wallet: Wallet,
  scope: Scope,
  encryptedAccountKey: Hex,
  registered: Hex,
  secretVersion: number,
  recoveryCode?: string,
): Promise<Vault> {
  return registeredVault(
    await decryptOwnAccountKey(wallet, scope, encryptedAccountKey, recoveryCode),
    scope,
    secretVersion,
    registered,
  );
}

/**
 * Derives the keys from an account key, and checks that its viewing key is the one on the ledger.
 *
 * @throws HalcyonError `internal` when it is not
 */
export function registeredVault(accountKey: Uint8Array, scope: Scope, secretVersion: number, registered: Hex): Vault {
  const vault = vaultOf(accountKey, scope, secretVersion);
  if (toHex(vault.viewingKey.publicKey) === registered.toLowerCase()) return vault;
  throw new HalcyonError(
    "internal",
    "The encrypted account key has another viewing key than the ledger's. Ask for help.",
  );
}
