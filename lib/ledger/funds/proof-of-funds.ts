import type { Hex } from "viem";
import { bigintToBytes, bytesToBigint, concat, fromHex, fromUtf8, toHex, utf8 } from "../crypto/bytes";
import { EMPTY_NOTE } from "../crypto/commitments";
import { InvalidProofOfFunds } from "../crypto/errors";
import { isFieldElement } from "../crypto/field";
import { PROOF_LENGTH } from "../prepare/proof";
import { CHALLENGE_LENGTH, type FundsStatement, fundsContext, isPurpose, isVerifierName } from "./funds-statement";

/** Note slots in one AtLeast proof. */
export const FUNDS_NOTES = 16;

/** A statement, the commitments on the ledger that it refers to, and the proof. */
export interface ProofOfFunds extends FundsStatement {
  /**
   * Unspent notes of the account, without duplicates. Ascending, so that their order reveals nothing about the amounts.
   */
  notes: readonly bigint[];
  /** The account's available balance commitment; EMPTY_AVAILABLE if there never was one. */
  available: bigint;
  /** 256 bytes in the EVM's form. */
  proof: Hex;
}

const PREFIX = "hcf1_";
const TEXT = new RegExp(`^${PREFIX}([A-Za-z0-9_-]{1,4096})$`);
const ADDRESS_LENGTH = 20;

/**
 * Returns the public signals that the proof must have: the notes in 16 slots, the available balance, what notes and
 * available balance cover, ctx.
 */
export function fundsSignals(funds: Omit<ProofOfFunds, "proof">): bigint[] {
  const { notes, available, minimum, deposited } = funds;
  const empty = Array.from({ length: FUNDS_NOTES - notes.length }, () => EMPTY_NOTE);
  return [...notes, ...empty, available, minimum - deposited, fundsContext(funds)];
}

/**
 * Checks that every field can be encoded.
 *
 * @throws InvalidProofOfFunds
 */
function assertWellFormed({ minimum, deposited, verifier, purpose, notes, available }: ProofOfFunds): void {
  const ascending = notes.every((note, at) => at === 0 || (notes[at - 1] as bigint) < note);
  const commitments =
    notes.every((note) => isFieldElement(note) && note !== 0n && note !== EMPTY_NOTE) && isFieldElement(available);
  const texts = isVerifierName(verifier) && isPurpose(purpose);
  const amounts = minimum > 0n && deposited >= 0n && deposited <= minimum;
  if (notes.length > FUNDS_NOTES || !ascending || !commitments || !texts || !amounts) throw new InvalidProofOfFunds();
}

function field(hex: string, length: number): Uint8Array {
  const bytes = fromHex(hex);
  if (bytes.length !== length) throw new InvalidProofOfFunds();
  return bytes;
}

function toBytes(funds: ProofOfFunds): Uint8Array {
  const [verifier, purpose] = [utf8(funds.verifier), utf8(funds.purpose)];
  return concat(
    bigintToBytes(BigInt(funds.chainId), 4),
    ...[funds.ledger, funds.account, funds.asset].map((address) => field(address, ADDRESS_LENGTH)),
    ...[funds.minimum, funds.deposited, funds.block, funds.expires].map((value) => bigintToBytes(value, 8)),
    field(funds.challenge, CHALLENGE_LENGTH),
    bigintToBytes(BigInt(verifier.length), 1),
    verifier,
    bigintToBytes(BigInt(purpose.length), 2),
    purpose,
    bigintToBytes(BigInt(funds.notes.length), 1),
    ...[...funds.notes, funds.available].map((commitment) => bigintToBytes(commitment, 32)),
    field(funds.proof, PROOF_LENGTH),
  );
}

function fromBytes(bytes: Uint8Array): ProofOfFunds {
  let offset = 0;
  const take = (length: number) => {
    offset += length;
    if (offset > bytes.length) throw new InvalidProofOfFunds();
    return bytes.subarray(offset - length, offset);
  };
  const integer = (length: number) => bytesToBigint(take(length));
  const text = (prefix: number) => {
    return fromUtf8(take(Number(integer(prefix))));
  };
  const funds = {
    chainId: Number(integer(4)),
    ledger: toHex(take(ADDRESS_LENGTH)),
    account: toHex(take(ADDRESS_LENGTH)),
    asset: toHex(take(ADDRESS_LENGTH)),
    minimum: integer(8),
    deposited: integer(8),
    block: integer(8),
    expires: integer(8),
    challenge: toHex(take(CHALLENGE_LENGTH)),
    verifier: text(1),
    purpose: text(2),
    notes: Array.from({ length: Number(integer(1)) }, () => integer(32)),
    available: integer(32),
    proof: toHex(take(PROOF_LENGTH)),
  };
  if (offset !== bytes.length) throw new InvalidProofOfFunds();
  return funds;
}

/**
 * Encodes a proof of funds as text: `hcf1_` and base64url of its fields. Texts are preceded by their length.
 *
 * @throws InvalidProofOfFunds if a field can't be encoded
 */
export function encodeProofOfFunds(funds: ProofOfFunds): string {
  assertWellFormed(funds);
  const base64 = btoa(String.fromCharCode(...toBytes(funds)));
  return PREFIX + base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * Decodes the text of a proof of funds, or a link that ends in one. The caller must verify the proof.
 *
 * @throws InvalidProofOfFunds for anything else, including other encodings of the same proof
 */
export function decodeProofOfFunds(text: string): ProofOfFunds {
  const own = text.trim().split("#").at(-1) ?? "";
  const base64 = TEXT.exec(own)?.[1]?.replaceAll("-", "+").replaceAll("_", "/");
  if (base64 === undefined) throw new InvalidProofOfFunds();
  let funds: ProofOfFunds;
  try {
    funds = fromBytes(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
  } catch {
    throw new InvalidProofOfFunds();
  }
  // The last character of base64 may have spare bits. Accept only the canonical form.
  if (encodeProofOfFunds(funds) !== own) throw new InvalidProofOfFunds();
  return funds;
}
