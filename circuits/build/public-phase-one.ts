/** What a published phase 1 is known by. */
export interface PublishedPhaseOne {
  file: string;
  /** log2 of the largest domain it serves. */
  power: number;
  /** BLAKE2b-512 of the file, hex. */
  blake2b: string;
  /** alpha in G1 and beta in G2 (real parts first), which every key made from it has. Decimal. */
  alpha: readonly [string, string];
  beta: readonly [readonly [string, string], readonly [string, string]];
}

/**
 * The Perpetual Powers of Tau: 54 contributions and a beacon, prepared for 2^13 constraints.
 *
 * The hash is the one snarkjs' README publishes (section 7, also in node_modules/snarkjs). Alpha and beta are those of
 * deployed verifiers whose keys come from the same ceremony, for example semaphore-protocol/semaphore,
 * packages/contracts/contracts/base/SemaphoreVerifier.sol. The file itself has never been on a machine of this project,
 * so the first person to download it compares both (docs/ceremony.md).
 */
export const PUBLIC_PHASE_ONE: PublishedPhaseOne = {
  file: "powersOfTau28_hez_final_13.ptau",
  power: 13,
  blake2b:
    "58efc8bf2834d04768a3d7ffcd8e1e23d461561729beaac4e3e7a47829a1c9066d5320241e124a1a8e8aa6c75be0ba66f65bc8239a0542ed38e11276f6fdb4d9",
  alpha: [
    "20491192805390485299153009773594534940189261866228447918068658471970481763042",
    "9383485363053290200918347156157836566562967994039712273449902621266178545958",
  ],
  beta: [
    [
      "6375614351688725206403948262868962793625744043794305715222011528459656738731",
      "4252822878758300859123897981450591353533073413197771768651442665752259397132",
    ],
    [
      "10505242626370262277552901082094356697409835680220590971873171140371331206856",
      "21847035105528745403288232691147584728191162732299865338377159692350059136679",
    ],
  ],
};
