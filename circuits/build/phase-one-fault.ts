import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { readPhaseOneContributions } from "./contributions.ts";

/** SHA-256 of the powers of tau this repository was developed with: one person on one machine made them. */
const DEVELOPMENT = "e1952beea633588d2772c39df0ea49bcb9379736cf1508230e88cb58ee2d3088";
/**
 * BLAKE2b-512 of `powersOfTau28_hez_final_13.ptau`: the Perpetual Powers of Tau, 54 contributions and a beacon, prepared
 * for 2^13 constraints. As published in snarkjs' README, section 7 (also in node_modules/snarkjs).
 */
const PUBLIC =
  "58efc8bf2834d04768a3d7ffcd8e1e23d461561729beaac4e3e7a47829a1c9066d5320241e124a1a8e8aa6c75be0ba66f65bc8239a0542ed38e11276f6fdb4d9";
const LEAST = 2;

/**
 * Why keys for real money may not come from these powers of tau, or null. Whoever knows the secrets of phase 1 forges
 * every proof, however many people took part in phase 2: it has to be the public ceremony's own file.
 */
export async function phaseOneFault(ptau: string): Promise<string | null> {
  const bytes = await readFile(ptau);
  if (createHash("sha256").update(bytes).digest("hex") === DEVELOPMENT) {
    return "these are the development powers of tau, made by one person: take the public ceremony's file (docs/ceremony.md)";
  }
  const made = readPhaseOneContributions(bytes).filter((kind) => kind === "contribution").length;
  if (made < LEAST)
    return `has ${made} of at least ${LEAST} contributions: whoever made it alone can forge every proof`;
  if (createHash("blake2b512").update(bytes).digest("hex") === PUBLIC) return null;
  return "is not powersOfTau28_hez_final_13.ptau of the Perpetual Powers of Tau: its BLAKE2b hash differs (docs/ceremony.md)";
}
