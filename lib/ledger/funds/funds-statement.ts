import { type Address, encodeAbiParameters, type Hex, keccak256 } from "viem";
import { FIELD_ORDER, UNITS_BOUND } from "../crypto/field";
import { isLine } from "../plain-text";

/*
 * What a proof of funds says, and to whom (docs/protocol.md section 7, Proofs of funds). All of it is bound to the
 * proof, so someone who passes the proof on also passes on the name of its verifier.
 */

/** States that at `block`, this account held at least `minimum` of the asset. Addresses in lower case. */
export interface FundsStatement {
  chainId: number;
  ledger: Address;
  account: Address;
  asset: Address;
  /** In units, at least 1. */
  minimum: bigint;
  /** The part of the minimum that the account's deposited money covers, in units. */
  deposited: bigint;
  block: bigint;
  /** Unix seconds. From then on the proof is invalid. */
  expires: bigint;
  /** The name of the verifier: one line of 1 to 120 bytes. */
  verifier: string;
  /** The purpose: one line of at most 280 bytes. */
  purpose: string;
  /** 16 bytes, random or chosen by the verifier. */
  challenge: Hex;
}

export const CHALLENGE_LENGTH = 16;
const VERIFIER_BYTES = 120;
const PURPOSE_BYTES = 280;

/** The longest validity of a proof in seconds, because what it says becomes outdated. */
export const LONGEST_PROOF_LIFE = 90n * 86_400n;

/** Reports whether a verifier's name is valid in a proof. */
export function isVerifierName(text: string): boolean {
  return text !== "" && isLine(text, VERIFIER_BYTES);
}

/** Reports whether a purpose is valid in a proof. It may be empty. */
export function isPurpose(text: string): boolean {
  return isLine(text, PURPOSE_BYTES);
}

/**
 * Reports whether a minimum is 1, 2 or 5 times a power of ten. Clients offer no others, so that each proof narrows the
 * balance down by a factor of two at best.
 */
export function isRoundMinimum(units: bigint): boolean {
  return units < UNITS_BOUND && /^[125]0*$/.test(units.toString());
}

const CONTEXT = [
  ...["address", "address", "uint256", "address", "uint256", "uint256", "uint256", "uint256"],
  ...["string", "string", "bytes16"],
].map((type) => ({ type }));

/**
 * Returns ctx of an AtLeast proof: keccak256(abi.encode(account, asset, chain, ledger, block, expires, minimum,
 * deposited money, verifier, purpose, challenge)) modulo r.
 */
export function fundsContext(statement: FundsStatement): bigint {
  const { account, asset, chainId, ledger, block, expires, minimum, deposited, verifier, purpose, challenge } =
    statement;
  const values = [
    account,
    asset,
    BigInt(chainId),
    ledger,
    block,
    expires,
    minimum,
    deposited,
    verifier,
    purpose,
    challenge,
  ];
  return BigInt(keccak256(encodeAbiParameters(CONTEXT, values))) % FIELD_ORDER;
}
