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
 * What the payee signs: the terms and keccak256 of the envelope, as EIP-712 typed data of the ledger's domain. The
 * ledger takes no such struct, so the signature moves nothing.
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

/** Signs a request with the payment signing key. */
export function signRequest(privateKey: Hex, terms: RequestTerms, envelope: Uint8Array): Promise<Hex> {
  return sign({ hash: requestDigest(terms, envelope), privateKey, to: "hex" });
}

/** The address of the key that signed a request, in lower case; null for a signature of no key. */
export function requestSigner(terms: RequestTerms, envelope: Uint8Array, signature: Hex): Promise<Address | null> {
  return keyBehind(requestDigest(terms, envelope), signature);
}
