import { readFile } from "node:fs/promises";

export type Contribution = "contribution" | "beacon";

const CONTRIBUTIONS_SECTION = 10;
const CIRCUIT_HASH_BYTES = 64;
/** Three G1 points, one G2 point and the 64-byte transcript. */
const FIXED_BYTES = 3 * 64 + 128 + 64;

/**
 * Lists the phase 2 contributions of a proving key, oldest first. Layout: the snarkjs `.zkey` format, section 10.
 * The list is what the file says of itself; `zkey verify` proves it.
 */
export async function readContributions(zkey: string): Promise<Contribution[]> {
  const section = findSection(await readFile(zkey), CONTRIBUTIONS_SECTION);
  let offset = CIRCUIT_HASH_BYTES;
  const count = section.readUInt32LE(offset);
  offset += 4;
  const contributions: Contribution[] = [];
  for (let i = 0; i < count; i++) {
    offset += FIXED_BYTES;
    contributions.push(section.readUInt32LE(offset) === 1 ? "beacon" : "contribution");
    offset += 8 + section.readUInt32LE(offset + 4);
  }
  return contributions;
}

/**
 * Why these contributions do not make a key, or null. A development key needs one contribution; a multi-party key two,
 * because one contributor alone could keep the secret. Either way a beacon comes last.
 */
export function contributionsFault(contributions: Contribution[], development: boolean): string | null {
  const least = development ? 1 : 2;
  const made = contributions.filter((kind) => kind === "contribution").length;
  if (made >= least && contributions.at(-1) === "beacon") return null;
  return `needs contributions (${least} or more) and a beacon last, has: ${contributions.join(", ") || "none"}`;
}

function findSection(file: Buffer, wanted: number): Buffer {
  const sections = file.readUInt32LE(8);
  let offset = 12;
  for (let i = 0; i < sections; i++) {
    const size = Number(file.readBigUInt64LE(offset + 4));
    if (file.readUInt32LE(offset) === wanted) return file.subarray(offset + 12, offset + 12 + size);
    offset += 12 + size;
  }
  throw new Error(`the proving key has no section ${wanted}`);
}
