/** The part of snarkjs this repository uses; the package ships no types. Field elements are decimal strings. */
declare module "snarkjs" {
  /** A path, the bytes themselves, or a memory file to write to. */
  export type FileRef = string | Uint8Array | { type: "mem"; data?: Uint8Array };
  export type SignalInput = string | number | bigint | SignalInput[];
  export type CircuitSignals = Record<string, SignalInput>;

  export interface Groth16Proof {
    pi_a: string[];
    pi_b: string[][];
    pi_c: string[];
    protocol: string;
    curve: string;
  }

  export interface VerificationKey {
    protocol: string;
    curve: string;
    nPublic: number;
    vk_alpha_1: string[];
    vk_beta_2: string[][];
    vk_gamma_2: string[][];
    vk_delta_2: string[][];
    vk_alphabeta_12: string[][][];
    IC: string[][];
  }

  export interface ProofWithSignals {
    proof: Groth16Proof;
    publicSignals: string[];
  }

  export namespace groth16 {
    function prove(zkey: FileRef, witness: FileRef): Promise<ProofWithSignals>;
    function fullProve(input: CircuitSignals, wasm: FileRef, zkey: FileRef): Promise<ProofWithSignals>;
    function verify(vkey: VerificationKey, publicSignals: string[], proof: Groth16Proof): Promise<boolean>;
  }

  export interface R1csHeader {
    nConstraints: number;
    nVars: number;
    nOutputs: number;
    nPubInputs: number;
    nPrvInputs: number;
  }

  export namespace r1cs {
    function info(file: FileRef): Promise<R1csHeader>;
    /** Each constraint is A, B, C with A * B = C, as maps from wire to coefficient. */
    function exportJson(file: FileRef): Promise<R1csHeader & { constraints: [R1csRow, R1csRow, R1csRow][] }>;
  }
  export type R1csRow = Record<string, string>;

  export namespace powersOfTau {
    function newAccumulator(curve: Curve, power: number, output: FileRef): Promise<Uint8Array>;
    function contribute(input: FileRef, output: FileRef, name: string, entropy: string): Promise<Uint8Array>;
    function beacon(
      input: FileRef,
      output: FileRef,
      name: string,
      beaconHex: string,
      iterationsExp: number,
    ): Promise<Uint8Array | false>;
    function preparePhase2(input: FileRef, output: FileRef): Promise<void>;
    function verify(file: FileRef): Promise<boolean>;
  }

  export namespace zKey {
    /** Returns -1 when the circuit does not fit the powers of tau. */
    function newZKey(r1cs: FileRef, ptau: FileRef, output: FileRef): Promise<Uint8Array | -1>;
    function contribute(input: FileRef, output: FileRef, name: string, entropy: string): Promise<Uint8Array>;
    function beacon(
      input: FileRef,
      output: FileRef,
      name: string,
      beaconHex: string,
      iterationsExp: number,
    ): Promise<Uint8Array | false>;
    function verifyFromInit(init: FileRef, ptau: FileRef, zkey: FileRef): Promise<boolean>;
    function verifyFromR1cs(r1cs: FileRef, ptau: FileRef, zkey: FileRef): Promise<boolean>;
    function exportVerificationKey(zkey: FileRef): Promise<VerificationKey>;
  }

  /** A point in memory: coordinates in Montgomery form, little endian. */
  export type Point = Uint8Array;
  export interface Group {
    /** The generator. */
    g: Point;
    add(a: Point, b: Point): Point;
    neg(a: Point): Point;
    eq(a: Point, b: Point): boolean;
    toAffine(a: Point): Point;
    /** The sum of scalar * base. Bases are affine, in a row; scalars little endian, in a row, all of one length. */
    multiExpAffine(bases: Uint8Array, scalars: Uint8Array): Promise<Point>;
  }

  export interface Curve {
    G1: Group;
    G2: Group;
    /** Whether the product of the pairings of (a, b), (c, d) is 1. */
    pairingEq(a: Point, b: Point, c: Point, d: Point): Promise<boolean>;
    terminate(): Promise<void>;
  }

  export namespace curves {
    function getCurveFromName(name: "bn128"): Promise<Curve>;
  }
}
