import {
  type Address,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  keccak256,
  parseAbi,
  parseSignature,
  recoverTypedDataAddress,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { AUTHORIZATION_FIELDS } from "./authorization-fields";
import type { TokenDomain } from "./token-domain";

/** `TransferWithAuthorization` of EIP-3009, which anyone may submit. */
const TYPES = { TransferWithAuthorization: AUTHORIZATION_FIELDS } as const;

/** For how long a seller may take a payment, in seconds. */
export const TAKE_SECONDS = 3_600;

/** The part of EIP-3009 that one-time addresses use. */
export const tokenAbi = parseAbi([
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
]);

/** The content of a one-time address, and who may get it. */
export interface ExactTerms {
  /** The one-time address. */
  from: Address;
  /** Receives the payment. */
  seller: Address;
  /** The owner's wallet, which gets back what the seller does not take. */
  returnTo: Address;
  /** In the token's smallest unit. */
  value: bigint;
  /** Unix seconds. The seller can take the payment before this time; the owner gets it back from then on. */
  validBefore: bigint;
  /** Id of the public payment to the one-time address, 32 bytes. */
  paymentId: Hex;
}

/**
 * The two authorizations of a one-time address. At no time are both valid, and the token executes at most one of them.
 */
export interface ExactSignatures {
  signature: Hex;
  returnSignature: Hex;
}

interface Authorization {
  from: Address;
  to: Address;
  value: bigint;
  validAfter: bigint;
  validBefore: bigint;
  nonce: Hex;
}

/** The last second of the year 9999, so that money not returned yet can always be returned. */
const FOR_EVER = 253_402_300_799n;

/** Returns the authorization that the seller submits. */
export function toSeller({ from, seller: to, value, validBefore, paymentId }: ExactTerms): Authorization {
  return { from, to, value, validAfter: 0n, validBefore, nonce: paymentId };
}

/**
 * Returns the authorization that anyone may submit once the seller's time is over. EIP-3009 requires a time after
 * `validAfter`.
 */
export function toOwner({ from, returnTo: to, value, validBefore, paymentId }: ExactTerms): Authorization {
  const times = { validAfter: validBefore - 1n, validBefore: FOR_EVER };
  return { from, to, value, ...times, nonce: returnNonce(paymentId) };
}

/** Returns the call of the token that returns a payment the seller did not take. */
export function returnCalldata(terms: ExactTerms, returnSignature: Hex): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = toOwner(terms);
  const { r, s, yParity } = parseSignature(returnSignature);
  const args = [from, to, value, validAfter, validBefore, nonce, 27 + yParity, r, s] as const;
  return encodeFunctionData({ abi: tokenAbi, functionName: "transferWithAuthorization", args });
}

/** Returns the nonce of the return, under which the token records it. */
export function returnNonce(paymentId: Hex): Hex {
  return keccak256(paymentId);
}

const typed = (domain: TokenDomain, message: Authorization) =>
  ({ domain, types: TYPES, primaryType: "TransferWithAuthorization", message }) as const;

/** Signs both authorizations with the key of the one-time address. */
export async function signExact(domain: TokenDomain, privateKey: Hex, terms: ExactTerms): Promise<ExactSignatures> {
  const account = privateKeyToAccount(privateKey);
  return {
    signature: await account.signTypedData(typed(domain, toSeller(terms))),
    returnSignature: await account.signTypedData(typed(domain, toOwner(terms))),
  };
}

/** Reports whether both signatures are the one-time address's, over exactly these terms. */
export async function isSignedExactly(
  domain: TokenDomain,
  terms: ExactTerms,
  { signature, returnSignature }: ExactSignatures,
): Promise<boolean> {
  const by = async (message: Authorization, signed: Hex) => {
    const signer = await recoverTypedDataAddress({ ...typed(domain, message), signature: signed }).catch(() => null);
    return signer !== null && isAddressEqual(signer, terms.from);
  };
  return (await by(toSeller(terms), signature)) && (await by(toOwner(terms), returnSignature));
}
