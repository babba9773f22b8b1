import { secp256k1 } from "@noble/curves/secp256k1.js";
import type { Address, Hex } from "viem";
import { decrypt, encrypt } from "../crypto/aead";
import { bigintToBytes, bytesToBigint, concat, fromHex } from "../crypto/bytes";
import { DecryptionFailed } from "../crypto/errors";
import { hkdf } from "../crypto/hkdf";
import { parseRecoveryCode } from "../crypto/recovery-code";
import type { Scope } from "../crypto/scope";

const VERSION = 1;
const KIND_WALLET = 1;
const KIND_RECOVERY_CODE = 2;
/** Kind, nonce, account key, tag. */
const ENTRY_LENGTH = 1 + 24 + 32 + 16;

/** Length of an encrypted account key with one entry, and with two, in bytes. */
export const ENCRYPTED_ACCOUNT_KEY_LENGTHS = [2 + ENTRY_LENGTH, 2 + 2 * ENTRY_LENGTH] as const;

/** What decrypts an account key: the wallet's signature over `unlockTypedData`, or the generated recovery code. */
export type AccountKeyUnlock = { signature: Hex } | { recoveryCode: string };

/**
 * Returns the message that a wallet signs to unlock its account key: typed data for `eth_signTypedData_v4`. It has its
 * own domain and type, and no `domain.chainId`, so that no wallet insists on an active chain; chain, ledger and the
 * ledger's salt are in the message. The signature is a key: never send it anywhere. No contract accepts it.
 */
export function unlockTypedData(scope: Scope, account: Address) {
  return {
    domain: { name: "Halcyon Unlock", version: "1" },
    types: {
      Unlock: [
        { name: "warning", type: "string" },
        { name: "account", type: "address" },
        { name: "network", type: "uint256" },
        { name: "ledger", type: "address" },
        { name: "domainSalt", type: "bytes32" },
      ],
    },
    primaryType: "Unlock",
    message: {
      warning: "This signature opens your confidential history. Sign it only in an application you trust.",
      account,
      network: BigInt(scope.chainId),
      ledger: scope.ledger,
      domainSalt: scope.domainSalt,
    },
  } as const;
}

/**
 * Returns r and s of an ECDSA signature, with s in its low form. Unlike v and the form of s, they don't depend on the
 * wallet.
 *
 * @throws DecryptionFailed for another length than 64 or 65 bytes
 */
export function unlockSecret(signature: Hex): Uint8Array {
  const bytes = fromHex(signature);
  if (bytes.length !== 65 && bytes.length !== 64) throw new DecryptionFailed("encrypted account key");
  const order = secp256k1.Point.Fn.ORDER;
  // 64 bytes are an EIP-2098 signature: the top bit of s stands for v.
  const s = bytesToBigint(bytes.subarray(32, 64)) & (bytes.length === 64 ? (1n << 255n) - 1n : (1n << 256n) - 1n);
  return concat(bytes.subarray(0, 32), bigintToBytes(s > order / 2n ? order - s : s, 32));
}

function entryKey(unlock: AccountKeyUnlock, scope: Scope): { kind: number; key: Uint8Array } {
  if ("signature" in unlock) {
    return { kind: KIND_WALLET, key: hkdf(unlockSecret(unlock.signature), "root by wallet", scope) };
  }
  return {
    kind: KIND_RECOVERY_CODE,
    key: hkdf(parseRecoveryCode(unlock.recoveryCode), "root by recovery code", scope),
  };
}

/**
 * Returns the aad of an entry: version (1) || kind (1) || chain (32) || ledger (20) || domain salt (32) || account
 * (20).
 */
export function entryAad(scope: Scope, account: Address, kind: number): Uint8Array {
  return concat(
    Uint8Array.of(VERSION, kind),
    bigintToBytes(BigInt(scope.chainId), 32),
    fromHex(scope.ledger),
    fromHex(scope.domainSalt),
    fromHex(account),
  );
}

/**
 * Reports whether two signatures over the same message result in the same key. If not, the wallet's signatures are not
 * deterministic.
 */
export function unlocksAlike(first: Hex, second: Hex): boolean {
  return bytesToBigint(unlockSecret(first)) === bytesToBigint(unlockSecret(second));
}

/**
 * Encrypts an account key for each given unlock (one or two, of different kinds). The result is public for ever in the
 * `Enrolled` event: version (1) || number of entries (1) || entries of kind (1), nonce (24), encrypted account key
 * (48).
 */
export function encryptAccountKey(
  accountKey: Uint8Array,
  scope: Scope,
  account: Address,
  unlocks: AccountKeyUnlock[],
): Uint8Array {
  const entries = unlocks.map((unlock) => ({ ...entryKey(unlock, scope) }));
  const kinds = new Set(entries.map((entry) => entry.kind));
  if (accountKey.length !== 32 || entries.length < 1 || kinds.size !== entries.length) {
    throw new RangeError("an account key of 32 bytes is encrypted once per kind of unlock");
  }
  return concat(
    Uint8Array.of(VERSION, entries.length),
    ...entries.flatMap(({ kind, key }) => [
      Uint8Array.of(kind),
      encrypt(key, entryAad(scope, account, kind), accountKey),
    ]),
  );
}

/** Returns the kinds of unlocks that decrypt an account key. Ignores unknown entries. */
export function encryptedAccountKeyKinds(blob: Uint8Array): ("wallet" | "recovery_code")[] {
  const kinds: ("wallet" | "recovery_code")[] = [];
  for (let offset = 2; offset + ENTRY_LENGTH <= blob.length; offset += ENTRY_LENGTH) {
    if (blob[offset] === KIND_WALLET) kinds.push("wallet");
    if (blob[offset] === KIND_RECOVERY_CODE) kinds.push("recovery_code");
  }
  return kinds;
}

/**
 * Decrypts an account key.
 *
 * @throws DecryptionFailed if no entry can be decrypted, InvalidRecoveryCode for a mistyped code
 */
export function decryptAccountKey(
  blob: Uint8Array,
  scope: Scope,
  account: Address,
  unlock: AccountKeyUnlock,
): Uint8Array {
  const count = blob[1] ?? 0;
  if (blob[0] !== VERSION || blob.length !== 2 + count * ENTRY_LENGTH)
    throw new DecryptionFailed("encrypted account key");
  const { kind, key } = entryKey(unlock, scope);
  for (let offset = 2; offset < blob.length; offset += ENTRY_LENGTH) {
    if (blob[offset] !== kind) continue;
    return decrypt(
      key,
      entryAad(scope, account, kind),
      blob.subarray(offset + 1, offset + ENTRY_LENGTH),
      "encrypted account key",
    );
  }
  throw new DecryptionFailed("encrypted account key");
}
