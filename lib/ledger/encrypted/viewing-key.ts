import { x25519 } from "@noble/curves/ed25519.js";
import type { Address } from "viem";
import { CHECKSUM_LENGTH, checksum, fromBase62, toBase62 } from "../crypto/base62";
import { bigintToBytes, bytesToBigint, concat, fromHex, toHex } from "../crypto/bytes";
import { InvalidViewingKey } from "../crypto/errors";
import type { X25519Keys } from "../crypto/keys";
import type { NetworkChainId } from "./api-key";

const FORMAT = /^hcvk_(test|live)_([0-9A-Za-z]+)([0-9A-Za-z]{6})$/;
const VERSION = 1;
/** Version (1) || account (20) || x (32) || held key (32) || version of the account secret (4). */
const LENGTH = 89;

/**
 * A credential that reads an account's amounts and memos, and authorizes nothing: the viewing key, and the key for
 * payments awaiting approval. Neither the account key nor its secret can be computed from it.
 */
export interface ViewingCredential {
  chainId: NetworkChainId;
  /** The account, in lower case. The credential also reads its agents' payments. */
  account: Address;
  /** x and X, which never change. */
  viewingKey: X25519Keys;
  /** Decrypts payments awaiting approval under this version of the account secret, until the secret is rotated. */
  held: { secret: Uint8Array; secretVersion: number };
}

/** Encodes the credential as text: `hcvk_test_` or `hcvk_live_`, base62, and the same checksum as in API keys. */
export function encodeViewingKey({ chainId, account, viewingKey, held }: ViewingCredential): string {
  const bytes = concat(
    Uint8Array.of(VERSION),
    fromHex(account),
    viewingKey.secret,
    held.secret,
    bigintToBytes(BigInt(held.secretVersion), 4),
  );
  if (bytes.length !== LENGTH) throw new RangeError("an account has 20 bytes, and keys have 32 each");
  const body = `hcvk_${chainId === 4663 ? "live" : "test"}_${toBase62(bytes)}`;
  return body + checksum(body);
}

/**
 * Decodes the output of `encodeViewingKey`.
 *
 * @throws InvalidViewingKey for a wrong prefix, length, alphabet or checksum
 */
export function decodeViewingKey(text: string): ViewingCredential {
  const [, network, digits = "", sum] = FORMAT.exec(text) ?? [];
  if (network === undefined || checksum(text.slice(0, -CHECKSUM_LENGTH)) !== sum) throw new InvalidViewingKey();
  const bytes = fromBase62(digits, LENGTH);
  if (bytes?.[0] !== VERSION) throw new InvalidViewingKey();
  const secret = bytes.slice(21, 53);
  return {
    chainId: network === "live" ? 4663 : 46630,
    account: toHex(bytes.subarray(1, 21)),
    viewingKey: { secret, publicKey: x25519.getPublicKey(secret) },
    held: { secret: bytes.slice(53, 85), secretVersion: Number(bytesToBigint(bytes.subarray(85))) },
  };
}
