/**
 * Writes circuits/src/poseidon-constants.circom: the round constants and matrices of Poseidon. A test compares.
 *
 *   node scripts/run.mjs scripts/poseidon-constants.ts
 */
import { writeFile } from "node:fs/promises";
import { POSEIDON_CONSTANTS_FILE, renderPoseidonConstants } from "../circuits/build/render-poseidon-constants.ts";

await writeFile(POSEIDON_CONSTANTS_FILE, renderPoseidonConstants());
