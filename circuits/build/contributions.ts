export type Contribution = "contribution" | "beacon";

const CONTRIBUTIONS_SECTION = 10;
const CIRCUIT_HASH_BYTES = 64;
/** Three G1 points, one G2 point and the 64-byte transcript. */
const FIXED_BYTES = 3 * 64 + 128 + 64;

const PHASE_ONE_SECTION = 7;
/** Of phase 1: nine G1 points, five G2 points, a partial hash of 216 bytes and the next challenge of 64. */
const PHASE_ONE_FIXED_BYTES = 9 * 64 + 5 * 128 + 216 + 64;

/**
 * Lists the phase 2 contributions of a proving key, oldest first. Layout: the snarkjs `.zkey` format, section 10.
 * The list is what the file says of itself; `zkey verify` proves it.
 */
export function readContributions(zkey: Buffer): Contribution[] {
  return listContributions(findSection(zkey, CONTRIBUTIONS_SECTION), CIRCUIT_HASH_BYTES, FIXED_BYTES);
}

/**
 * Lists the phase 1 contributions of powers of tau, oldest first. Layout: the snarkjs `.ptau` format, section 7. The
 * list is what the file says of itself; `powersoftau verify` proves it.
 */
export function readPhaseOneContributions(ptau: Buffer): Contribution[] {
  return listContributions(findSection(ptau, PHASE_ONE_SECTION), 0, PHASE_ONE_FIXED_BYTES);
}

/**
 * Each: so many fixed bytes, its kind (1 is a beacon), the length of its parameters and these.
 *
 * @throws when the list does not fill its section to the byte
 */
function listContributions(section: Buffer, start: number, fixedBytes: number): Contribution[] {
  let offset = start;
  const count = section.readUInt32LE(offset);
  offset += 4;
  const contributions: Contribution[] = [];
  for (let i = 0; i < count && offset <= section.length; i++) {
    offset += fixedBytes;
    contributions.push(section.readUInt32LE(offset) === 1 ? "beacon" : "contribution");
    offset += 8 + section.readUInt32LE(offset + 4);
  }
  if (offset !== section.length) throw new Error("its contributions are not as many as it says");
  return contributions;
}

/**
 * Why these contributions do not make a key, or null. A development key needs one contribution; a multi-party key two,
 * because one contributor alone could keep the secret. Either way a beacon comes last.
 */
export function contributionsFault(contributions: Contribution[], development: boolean): string | null {
  const least = development ? 1 : 2;
  const people = contributions.filter((kind) => kind === "contribution").length;
  if (people >= least && contributions.at(-1) === "beacon") return null;
  return `needs contributions (${least} or more) and a beacon last, has: ${contributions.join(", ") || "none"}`;
}

/**
 * A section of a `.ptau` or `.zkey` file.
 *
 * @throws when there is none or more than one, or the file ends early
 */
export function findSection(file: Buffer, wanted: number): Buffer {
  const sections = file.readUInt32LE(8);
  const found: Buffer[] = [];
  let offset = 12;
  for (let i = 0; i < sections; i++) {
    const size = Number(file.readBigUInt64LE(offset + 4));
    if (offset + 12 + size > file.length) throw new Error("the file ends early");
    if (file.readUInt32LE(offset) === wanted) found.push(file.subarray(offset + 12, offset + 12 + size));
    offset += 12 + size;
  }
  const [section] = found;
  if (section === undefined || found.length > 1) throw new Error(`the file has ${found.length} sections ${wanted}`);
  return section;
}
