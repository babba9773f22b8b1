import type { Hex } from "viem";
import { bigintToBytes, bytesToBigint, concat, fromHex, toHex } from "../crypto/bytes";

/**
 * Length of an encoded proof in bytes: a.x a.y b.x1 b.x0 b.y1 b.y0 c.x c.y, 32 bytes each, in the precompile's order.
 */
export const PROOF_LENGTH = 256;

/** The `Proof` struct of the ledger contract. The limbs of b are already swapped. */
interface ProofCalldata {
  a: readonly [bigint, bigint];
  b: readonly [readonly [bigint, bigint], readonly [bigint, bigint]];
  c: readonly [bigint, bigint];
}

/** Converts an encoded proof into the contract's struct. */
export function toProofCalldata(proof: Hex): ProofCalldata {
  const bytes = fromHex(proof);
  if (bytes.length !== PROOF_LENGTH) throw new RangeError("a proof has 256 bytes");
  const at = (index: number) => bytesToBigint(bytes.subarray(32 * index, 32 * index + 32));
  return {
    a: [at(0), at(1)],
    b: [
      [at(2), at(3)],
      [at(4), at(5)],
    ],
    c: [at(6), at(7)],
  };
}

/** Encodes a proof that is given as the contract's struct. */
export function fromProofCalldata({ a, b, c }: ProofCalldata): Hex {
  const words = [...a, ...b[0], ...b[1], ...c];
  return toHex(concat(...words.map((word) => bigintToBytes(word, 32))));
}
