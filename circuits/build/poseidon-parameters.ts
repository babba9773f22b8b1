/** Order of the BN254 scalar field, r. */
const R = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
const FIELD_BITS = 254;

/** Rounds in which the whole state passes the S-box x^5: half of them first, half last. */
export const FULL_ROUNDS = 8;

/** Rounds in which the first element alone does, by width of the state: the paper's table for x^5 and 128 bits. */
export const PARTIAL_ROUNDS: Record<number, number> = { 3: 57, 4: 56, 5: 60 };

/** What one width of Poseidon is made of. */
export interface PoseidonParameters {
  partialRounds: number;
  /** One row of `width` constants per round. */
  roundConstants: bigint[][];
  matrix: bigint[][];
}

/**
 * Derives round constants and MDS matrix of Poseidon over BN254 from nothing but the instance's name, as the paper
 * prescribes: Grassi, Khovratovich, Rechberger, Roy, Schofnegger, "Poseidon: A New Hash Function for Zero-Knowledge
 * Proof Systems" (USENIX Security 2021, eprint 2019/458), appendices B and F.
 *
 * @param width elements of the state: inputs and one more
 * @throws for a width without a number of partial rounds
 */
export function poseidonParameters(width: number): PoseidonParameters {
  const partialRounds = PARTIAL_ROUNDS[width];
  if (partialRounds === undefined) throw new RangeError(`no parameters for a state of ${width} elements`);
  const grain = new Grain(width, partialRounds);
  const roundConstants = Array.from({ length: FULL_ROUNDS + partialRounds }, () =>
    Array.from({ length: width }, () => grain.nextBelowR()),
  );
  return { partialRounds, roundConstants, matrix: cauchyMatrix(grain, width) };
}

/** M[i][j] = 1 / (x_i + y_j) for distinct x and y, the generator's next elements: every submatrix is invertible. */
function cauchyMatrix(grain: Grain, width: number): bigint[][] {
  const all = Array.from({ length: 2 * width }, () => grain.nextModuloR());
  if (new Set(all).size !== all.length) throw new Error("x and y are not distinct");
  const [x, y] = [all.slice(0, width), all.slice(width)];
  return x.map((xi) => y.map((yj) => inverse(xi + yj)));
}

/** The paper's generator: an 80-bit LFSR in self-shrinking mode, started from the description of the instance. */
class Grain {
  readonly #state: number[];

  constructor(width: number, partialRounds: number) {
    const description = [
      [1, 2], // a prime field
      [0, 4], // the S-box x^5
      [FIELD_BITS, 12],
      [width, 12],
      [FULL_ROUNDS, 10],
      [partialRounds, 10],
      [2 ** 30 - 1, 30],
    ] as const;
    this.#state = description.flatMap(([value, bits]) => [...value.toString(2).padStart(bits, "0")].map(Number));
    for (let i = 0; i < 160; i++) this.#step();
  }

  nextBelowR(): bigint {
    for (;;) {
      const value = this.#next();
      if (value < R) return value;
    }
  }

  nextModuloR(): bigint {
    return this.#next() % R;
  }

  #next(): bigint {
    let value = 0n;
    for (let i = 0; i < FIELD_BITS; i++) value = 2n * value + BigInt(this.#bit());
    return value;
  }

  /** Of each two bits the second counts, and only after a one. */
  #bit(): number {
    for (;;) {
      const counts = this.#step() === 1;
      const bit = this.#step();
      if (counts) return bit;
    }
  }

  #step(): number {
    const bit = [62, 51, 38, 23, 13, 0].reduce((sum, tap) => sum ^ (this.#state[tap] as number), 0);
    this.#state.shift();
    this.#state.push(bit);
    return bit;
  }
}

/** By Fermat: value^(r - 2). */
function inverse(value: bigint): bigint {
  let [result, square] = [1n, value % R];
  if (square === 0n) throw new Error("x_i + y_j is zero");
  for (let rest = R - 2n; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % R;
    square = (square * square) % R;
  }
  return result;
}
