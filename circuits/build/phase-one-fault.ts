import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type Contribution, findSection, readPhaseOneContributions } from "./contributions.ts";
import { PUBLIC_PHASE_ONE } from "./public-phase-one.ts";

/** SHA-256 of the powers of tau this repository was developed with: one person on one machine made them. */
const DEVELOPMENT = "e1952beea633588d2772c39df0ea49bcb9379736cf1508230e88cb58ee2d3088";
const LEAST = 2;
const HEADER_SECTION = 1;

/**
 * Why keys for real money may not come from these powers of tau, or null. Anyone who knows the secrets of phase 1
 * forges every proof, however many people took part in phase 2: it has to be the published file itself.
 *
 * @param published the ceremony it has to be; another one in tests alone
 */
export async function phaseOneFault(ptau: string, published = PUBLIC_PHASE_ONE): Promise<string | null> {
  const bytes = await readFile(ptau);
  if (createHash("sha256").update(bytes).digest("hex") === DEVELOPMENT) {
    return "these are the development powers of tau, made by one person: take the public ceremony's file (docs/ceremony.md)";
  }
  const fault = structureFault(bytes, published.power);
  if (fault !== null) return fault;
  if (createHash("blake2b512").update(bytes).digest("hex") === published.blake2b) return null;
  return `is not ${published.file} of the Perpetual Powers of Tau: its BLAKE2b hash differs (docs/ceremony.md)`;
}

/** What the file says of itself does not suffice, whatever its hash: contributions of several people, then a beacon. */
function structureFault(ptau: Buffer, power: number): string | null {
  let contributions: Contribution[];
  let found: number;
  try {
    contributions = readPhaseOneContributions(ptau);
    const header = findSection(ptau, HEADER_SECTION);
    found = header.readUInt32LE(4 + header.readUInt32LE(0));
  } catch (error) {
    return `is not a whole file of powers of tau: ${error instanceof Error ? error.message : error}`;
  }
  const people = contributions.filter((kind) => kind === "contribution").length;
  if (people < LEAST) {
    return `has ${people} of at least ${LEAST} contributions: whoever made it alone can forge every proof`;
  }
  if (contributions.at(-1) !== "beacon")
    return "has no beacon after its contributions: the last contributor chose the result";
  return found === power ? null : `is for 2^${found} constraints, not for 2^${power}`;
}
