import { secp256k1 } from "@noble/curves/secp256k1.js";
import { type Address, type Hex, isAddressEqual, recoverAddress } from "viem";
import { bigintToBytes, bytesToBigint, concat, fromHex, toHex } from "../crypto/bytes";
import { LedgerError } from "../crypto/errors";
import type { Signer, SignRequest } from "./key-signer";

/** Length of a key's signature in bytes: r, s and v. */
export const KEY_SIGNATURE_LENGTH = 65;
/** Length of the longest signature in a document, in bytes: a contract wallet's with many owners, or of passkeys. */
export const MAX_SIGNATURE_LENGTH = 4096;

const HEX_BYTES = /^0x([0-9a-f]{2})+$/;

/**
 * Reports whether a signature is hex of `least` to `most` bytes. Clients use it without loading the schemas of
 * documents.
 */
function isHexOf(signature: Hex, least: number, most: number): boolean {
  const length = (signature.length - 2) / 2;
  return HEX_BYTES.test(signature) && length >= least && length <= most;
}

/** Reports whether a signature has the form of a key's. */
export function isKeySignature(signature: Hex): boolean {
  return isHexOf(signature, KEY_SIGNATURE_LENGTH, KEY_SIGNATURE_LENGTH);
}

const ORDER = secp256k1.Point.Fn.ORDER;
const HALF_ORDER = ORDER / 2n;

/**
 * Converts a key's signature into the form that the ledger accepts: low s (EIP-2) and a v of 27 or 28.
 *
 * @throws LedgerError if it doesn't have 65 bytes
 */
export function normaliseSignature(signature: Hex): Hex {
  const bytes = fromHex(signature);
  const last = bytes[KEY_SIGNATURE_LENGTH - 1];
  if (bytes.length !== KEY_SIGNATURE_LENGTH || last === undefined) throw new LedgerError("A signature has 65 bytes.");
  const s = bytesToBigint(bytes.subarray(32, 64));
  const parity = (last >= 27 ? last - 27 : last) & 1;
  const high = s > HALF_ORDER;
  const low = bigintToBytes(high ? ORDER - s : s, 32);
  return toHex(concat(bytes.subarray(0, 32), low, Uint8Array.of(27 + (high ? 1 - parity : parity))));
}

/**
 * Returns the address, in lower case, whose key made this signature; null if the ledger does not accept it as a key's.
 * Never throws.
 */
export async function keyBehind(digest: Hex, signature: Hex): Promise<Address | null> {
  if (!isKeySignature(signature)) return null;
  const bytes = fromHex(signature);
  const v = bytes[KEY_SIGNATURE_LENGTH - 1];
  if ((v !== 27 && v !== 28) || bytesToBigint(bytes.subarray(32, 64)) > HALF_ORDER) return null;
  try {
    return (await recoverAddress({ hash: digest, signature })).toLowerCase() as Address;
  } catch {
    return null;
  }
}

/**
 * Returns a wallet's signature in the form that the ledger accepts. A signature by the wallet's own key gets a low s
 * and a v of 27 or
 * 28. A contract's signature is left as it is, because only the contract can interpret it.
 *
 * @throws LedgerError for an empty or too long signature
 */
export async function walletSignature(digest: Hex, signature: Hex, wallet: Address): Promise<Hex> {
  const text = signature.toLowerCase() as Hex;
  if (!isHexOf(text, 1, MAX_SIGNATURE_LENGTH)) throw new LedgerError("A signature has 1 to 4096 bytes.");
  if (!isKeySignature(text)) return text;
  const canonical = normaliseSignature(text);
  const key = await keyBehind(digest, canonical);
  return key && isAddressEqual(key, wallet) ? canonical : text;
}

/** Returns a signer for a wallet, whether it is a key or a contract. */
export function walletSigner(wallet: Address, sign: (data: SignRequest["typedData"]) => Promise<Hex>): Signer {
  return async ({ digest, typedData }) => walletSignature(digest, await sign(typedData), wallet);
}
