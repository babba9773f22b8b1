import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { curves, powersOfTau } from "snarkjs";

/** log2 of the largest circuit's domain: PayMany has between 2^12 and 2^13 constraints. */
export const POWER = 13;
/** log2 of how often a beacon is hashed. */
export const BEACON_ITERATIONS_EXP = 10;

/**
 * Makes a powers-of-tau file ready for phase 2: one contribution of random entropy, then a beacon drawn after it.
 * Takes minutes. The secrets live only in this process's memory.
 *
 * @param output path of the prepared `.ptau` to write
 * @param workDir existing folder for the intermediate files, which are removed
 */
export async function makePowersOfTau(output: string, workDir: string): Promise<void> {
  const curve = await curves.getCurveFromName("bn128");
  const start = join(workDir, "phase-one-0.ptau");
  const contributed = join(workDir, "phase-one-1.ptau");
  const encrypted = join(workDir, "phase-one-2.ptau");
  await powersOfTau.newAccumulator(curve, POWER, start);
  await powersOfTau.contribute(start, contributed, "development contribution", randomBytes(64).toString("hex"));
  const beacon = randomBytes(32).toString("hex");
  const done = await powersOfTau.beacon(contributed, encrypted, "development beacon", beacon, BEACON_ITERATIONS_EXP);
  if (done === false) throw new Error("the beacon was refused for the powers of tau");
  await powersOfTau.preparePhase2(encrypted, output);
  await Promise.all([start, contributed, encrypted].map((file) => rm(file)));
}
