import { type Address, type Hex, hashTypedData, keccak256 } from "viem";
import { sign } from "viem/accounts";
import { toHex } from "../crypto/bytes";
import { keyBehind } from "../prepare/signature";
import type { RequestTerms } from "./terms-bytes";

const TYPES = {
  PaymentRequest: [
    { name: "id", type: "string" },
    { name: "payee", type: "address" },
    { name: "asset", type: "address" },
    { name: "expires", type: "uint64" },
    { name: "envelope", type: "bytes32" },
  ],
} as const;

/**
 * Returns the digest that the payee signs: the terms and keccak256 of the envelope, as EIP-712 typed data in the
 * ledger's domain. The ledger accepts no such struct, so the signature can't move money.
 */
export function requestDigest(terms: RequestTerms, envelope: Uint8Array): Hex {
  const { scope, id, payee, asset, expires } = terms;
  return hashTypedData({
    domain: {
      name: "Halcyon Ledger",
      version: "2",
      chainId: scope.chainId,
      verifyingContract: scope.ledger,
      salt: scope.domainSalt,
    },
    types: TYPES,
    primaryType: "PaymentRequest",
    message: { id, payee, asset, expires, envelope: keccak256(toHex(envelope)) },
  });
}

/** Signs a request with the payment key. */
export function signRequest(privateKey: Hex, terms: RequestTerms, envelope: Uint8Array): Promise<Hex> {
  return sign({ hash: requestDigest(terms, envelope), privateKey, to: "hex" });
}

/** Returns the address of the key that signed a request, in lower case; null if no key can have made the signature. */
export function requestSigner(terms: RequestTerms, envelope: Uint8Array, signature: Hex): Promise<Address | null> {
  return keyBehind(requestDigest(terms, envelope), signature);
}
