import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { zKey } from "snarkjs";
import { BEACON_ITERATIONS_EXP } from "./phase-one.ts";

/**
 * Makes the proving key of one circuit: the set-up alone leaves delta = gamma, with which anyone can forge proofs, so
 * one contribution of random entropy follows, then a beacon drawn after it.
 *
 * @param r1cs path of the compiled circuit
 * @param ptau path of the prepared powers of tau
 * @param output path of the `.zkey` to write
 * @param workDir existing folder for the intermediate files, which are removed
 */
export async function makeProvingKey(r1cs: string, ptau: string, output: string, workDir: string): Promise<void> {
  const start = join(workDir, "phase-two-0.zkey");
  const contributed = join(workDir, "phase-two-1.zkey");
  if ((await zKey.newZKey(r1cs, ptau, start)) === -1) throw new Error(`${r1cs} does not fit ${ptau}`);
  await zKey.contribute(start, contributed, "development contribution", randomBytes(64).toString("hex"));
  const beacon = randomBytes(32).toString("hex");
  const encrypted = await zKey.beacon(contributed, output, "development beacon", beacon, BEACON_ITERATIONS_EXP);
  if (encrypted === false) throw new Error(`the beacon was refused for ${r1cs}`);
  await Promise.all([start, contributed].map((file) => rm(file)));
}
