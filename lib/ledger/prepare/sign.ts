import { secp256k1 } from "@noble/curves/secp256k1.js";
import type { Address, Hex } from "viem";
import { recoverAddress } from "viem";
import { sign as signDigest } from "viem/accounts";
import { bigintToBytes, bytesToBigint, concat, fromHex, toHex } from "../crypto/bytes";
import { LedgerError } from "../crypto/errors";
import type { LedgerTypedData } from "./structs";

/** What is signed: typed data for a wallet, its digest for a key at hand. They say the same. */
export interface SignRequest {
  digest: Hex;
  typedData: LedgerTypedData;
}

/** Signs a request: 65 bytes of ECDSA over the digest. */
export type Signer = (request: SignRequest) => Promise<Hex>;

/** A signer that holds its key: the spender's, or a program's own wallet key. RFC 6979, so deterministic. */
export function keySigner(privateKey: Hex): Signer {
  return ({ digest }) => signDigest({ hash: digest, privateKey, to: "hex" });
}

/** The form the ledger takes: low s (EIP-2) and v of 27 or 28, whatever the wallet returned. */
export function normaliseSignature(signature: Hex): Hex {
  const bytes = fromHex(signature);
  const last = bytes[64];
  if (bytes.length !== 65 || last === undefined) throw new LedgerError("A signature has 65 bytes.");
  const order = secp256k1.Point.Fn.ORDER;
  const s = bytesToBigint(bytes.subarray(32, 64));
  const parity = (last >= 27 ? last - 27 : last) & 1;
  const high = s > order / 2n;
  const low = bigintToBytes(high ? order - s : s, 32);
  return toHex(concat(bytes.subarray(0, 32), low, Uint8Array.of(27 + (high ? 1 - parity : parity))));
}

/** The address whose key created this signature over the digest. */
export function signerOf(digest: Hex, signature: Hex): Promise<Address> {
  return recoverAddress({ hash: digest, signature });
}
