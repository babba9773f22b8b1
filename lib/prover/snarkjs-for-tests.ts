import type { Groth16Proof } from "snarkjs";
import type { Hex } from "viem";
import { bigintToBytes, concat, fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { FIELD_ORDER } from "@/lib/ledger/crypto/field";
import { toProofCalldata } from "@/lib/ledger/prepare/proof";
import { FIELD_BYTES } from "./sizes";

/** Converts a proof of 256 bytes to snarkjs's format. */
export function asSnarkjsProof(proof: Hex): Groth16Proof {
  const { a, b, c } = toProofCalldata(proof);
  const text = (values: readonly bigint[]) => values.map(String);
  return {
    protocol: "groth16",
    curve: "bn128",
    pi_a: [...text(a), "1"],
    pi_b: [text(b[0].toReversed()), text(b[1].toReversed()), ["1", "0"]],
    pi_c: [...text(c), "1"],
  };
}

/** Converts a snarkjs proof to 256 bytes. */
export function ofSnarkjsProof({ pi_a: a, pi_b: [bx, by], pi_c: c }: Groth16Proof): Hex {
  const coordinates = [a[0], a[1], bx?.[1], bx?.[0], by?.[1], by?.[0], c[0], c[1]];
  return toHex(concat(...coordinates.map((value) => bigintToBytes(BigInt(value ?? 0), FIELD_BYTES))));
}

/** Returns a witness as a .wtns file for snarkjs (version 2: the field, then the values). */
export function witnessFile(witness: Uint8Array): Uint8Array {
  const number = (value: number, bytes: number) => bigintToBytes(BigInt(value), bytes).toReversed();
  const order = bigintToBytes(FIELD_ORDER, FIELD_BYTES).toReversed();
  const count = witness.length / FIELD_BYTES;
  const field = concat(number(FIELD_BYTES, 4), order, number(count, 4));
  const section = (id: number, content: Uint8Array) => concat(number(id, 4), number(content.length, 8), content);
  const magic = fromHex("0x77746e73");
  return concat(magic, number(2, 4), number(2, 4), section(1, field), section(2, witness));
}
