import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { groth16 } from "snarkjs";
import { witnessFile } from "../../circuits/build/witness-file.ts";
import { readProgram } from "../../circuits/witness/read-program.ts";
import { runProgram } from "../../circuits/witness/run-program.ts";
import { fromProofCalldata } from "../../lib/ledger/prepare/proof.ts";
import type { Prove } from "../../lib/ledger/prepare/witness.ts";
import { ROOT } from "./forge.ts";

/** Proves with snarkjs, independent of the product's own prover, so that each checks the other. */
export const proveWithSnarkjs: Prove = async (circuit, input) => {
  const artifact = (extension: string) => join(ROOT, `circuits/artifacts/${circuit}.${extension}`);
  const witness = runProgram(readProgram(await readFile(artifact("witness"))), input);
  const { proof, publicSignals } = await groth16.prove(artifact("zkey"), witnessFile(witness));
  const at = (point: string[] | undefined, index: number) => BigInt(point?.[index] ?? 0);
  const { pi_a: a, pi_b: b, pi_c: c } = proof;
  return {
    // The pairing precompile expects the two parts of a coordinate in the opposite order.
    proof: fromProofCalldata({
      a: [at(a, 0), at(a, 1)],
      b: [
        [at(b[0], 1), at(b[0], 0)],
        [at(b[1], 1), at(b[1], 0)],
      ],
      c: [at(c, 0), at(c, 1)],
    }),
    publicSignals: publicSignals.map(BigInt),
  };
};
