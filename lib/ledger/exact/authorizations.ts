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

/** `TransferWithAuthorization` of EIP-3009: anyone may submit it. */
const TYPES = { TransferWithAuthorization: AUTHORIZATION_FIELDS } as const;

/** For how long a seller may take what it was paid, in seconds. */
export const TAKE_SECONDS = 3_600;

/** The part of EIP-3009 that one-time addresses need. */
export const tokenAbi = parseAbi([
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
]);

/** What a one-time address holds, and for whom. */
export interface ExactTerms {
  /** The one-time address. */
  from: Address;
  /** Whom the payment is for. */
  seller: Address;
  /** The owner's wallet, which gets what the seller does not take. */
  returnTo: Address;
  /** In the token's smallest units. */
  value: bigint;
  /** Unix seconds: the seller takes it before, the owner gets it back from then on. */
  validBefore: bigint;
  /** Of the public payment to the one-time address: 32 bytes. */
  paymentId: Hex;
}

/** The two authorizations of a one-time address: no moment is in both, and the token takes at most one of them. */
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

/** The last second of the year 9999: money that no one has returned yet can always be returned. */
const FOR_EVER = 253_402_300_799n;

/** What the seller submits. */
export function toSeller({ from, seller: to, value, validBefore, paymentId }: ExactTerms): Authorization {
  return { from, to, value, validAfter: 0n, validBefore, nonce: paymentId };
}

/** What anyone submits once the seller's time is over. EIP-3009 wants the time to be strictly after `validAfter`. */
export function toOwner({ from, returnTo: to, value, validBefore, paymentId }: ExactTerms): Authorization {
  const times = { validAfter: validBefore - 1n, validBefore: FOR_EVER };
  return { from, to, value, ...times, nonce: returnNonce(paymentId) };
}

/** The call to the token that returns what was not taken. */
export function returnCalldata(terms: ExactTerms, returnSignature: Hex): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = toOwner(terms);
  const { r, s, yParity } = parseSignature(returnSignature);
  const args = [from, to, value, validAfter, validBefore, nonce, 27 + yParity, r, s] as const;
  return encodeFunctionData({ abi: tokenAbi, functionName: "transferWithAuthorization", args });
}

/** The nonce of the return, by which the token remembers it. */
export function returnNonce(paymentId: Hex): Hex {
  return keccak256(paymentId);
}

const typed = (domain: TokenDomain, message: Authorization) =>
  ({ domain, types: TYPES, primaryType: "TransferWithAuthorization", message }) as const;

/** Signs both with the key of the one-time address. */
export async function signExact(domain: TokenDomain, privateKey: Hex, terms: ExactTerms): Promise<ExactSignatures> {
  const account = privateKeyToAccount(privateKey);
  return {
    signature: await account.signTypedData(typed(domain, toSeller(terms))),
    returnSignature: await account.signTypedData(typed(domain, toOwner(terms))),
  };
}

/** Whether both are the one-time address's own, over exactly these terms. */
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
