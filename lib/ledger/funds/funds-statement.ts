import { type Address, encodeAbiParameters, type Hex, keccak256 } from "viem";
import { FIELD_ORDER, UNITS_BOUND } from "../crypto/field";
import { isLine } from "../plain-text";

/*
 * What a proof of funds says, and to whom (docs/protocol.md section 7, Proofs of funds). All of it is bound to the
 * proof: who passes it on passes on the name it was made for.
 */

/** At `block` this account had at least `minimum` of the asset. Addresses in lower case. */
export interface FundsStatement {
  chainId: number;
  ledger: Address;
  account: Address;
  asset: Address;
  /** Units, at least 1. */
  minimum: bigint;
  /** How much of the minimum the account's public credit covers, in units. */
  credit: bigint;
  block: bigint;
  /** Unix seconds. From then on the proof says nothing. */
  expires: bigint;
  /** Whom it is for: one line of 1 to 120 bytes. */
  verifier: string;
  /** What it is for: one line of at most 280 bytes. */
  purpose: string;
  /** 16 bytes: random, or as the verifier gave them. */
  challenge: Hex;
}

export const CHALLENGE_LENGTH = 16;
const VERIFIER_BYTES = 120;
const PURPOSE_BYTES = 280;

/** Seconds that a proof may be good for: what it says of an account grows old. */
export const LONGEST_PROOF_LIFE = 90n * 86_400n;

/** Whether a verifier's name may stand in a proof. */
export function isVerifierName(text: string): boolean {
  return text !== "" && isLine(text, VERIFIER_BYTES);
}

/** Whether a purpose may stand in a proof. It may be empty. */
export function isPurpose(text: string): boolean {
  return isLine(text, PURPOSE_BYTES);
}

/**
 * Whether a minimum is 1, 2 or 5 times a power of ten. Clients offer no others: each proof then narrows down the balance
 * by a factor of two at best.
 */
export function isRoundMinimum(units: bigint): boolean {
  return units < UNITS_BOUND && /^[125]0*$/.test(units.toString());
}

const CONTEXT = [
  ...["address", "address", "uint256", "address", "uint256", "uint256", "uint256", "uint256"],
  ...["string", "string", "bytes16"],
].map((type) => ({ type }));

/**
 * ctx of an AtLeast proof: keccak256(abi.encode(account, asset, chain, ledger, block, expires, minimum, credit, verifier,
 * purpose, challenge)) modulo r.
 */
export function fundsContext(statement: FundsStatement): bigint {
  const { account, asset, chainId, ledger, block, expires, minimum, credit, verifier, purpose, challenge } = statement;
  const values = [
    account,
    asset,
    BigInt(chainId),
    ledger,
    block,
    expires,
    minimum,
    credit,
    verifier,
    purpose,
    challenge,
  ];
  return BigInt(keccak256(encodeAbiParameters(CONTEXT, values))) % FIELD_ORDER;
}
