import { toWords32, writeLimbs } from "./bases";
import { SCALAR_WORDS } from "./digits";
import type { Kernel } from "./kernel";
import { LIMB_BITS, LIMBS, PAIR_BYTES, R_BITS } from "./limbs";
import { TERM_BYTES } from "./ntt-code";
import { SCALAR_ORDER } from "./orders";
import { type Domain, extendToCoset, loadDomain } from "./transform";

/**
 * Size of a coefficient in a proving key, in words: matrix, constraint and signal (u32 each), value (32 bytes, times
 * 2^512).
 */
const COEFFICIENT_WORDS = 3 + SCALAR_WORDS;
const TERM_WORDS = TERM_BYTES / 4;

/**
 * A circuit's matrices A and B in the kernel's memory. Each entry pairs one coefficient of A with one of B, both of the
 * same constraint. The shorter row of a constraint is padded with zeros.
 */
export interface Constraints {
  domain: Domain;
  /** Three words per entry: A's signal, B's signal, constraint. */
  terms: Uint32Array;
  factors: number;
}

/**
 * Loads the constraints.
 *
 * @param coefficients in a proving key's encoding
 */
export function loadConstraints(kernel: Kernel, domainSize: number, coefficients: Uint8Array): Constraints {
  const words = toWords32(coefficients);
  const rows: [number[], number[]][] = Array.from({ length: domainSize }, () => [[], []]);
  for (let at = 0; at < words.length; at += COEFFICIENT_WORDS) {
    const [matrix, constraint] = [words[at] as 0 | 1, words[at + 1] as number];
    (rows[constraint] as [number[], number[]])[matrix].push(at);
  }
  const count = rows.reduce((sum, [a, b]) => sum + Math.max(a.length, b.length), 0);
  const terms = new Uint32Array(count * TERM_WORDS);
  const factors = kernel.allocPairs(count);
  const memory = kernel.words();
  let index = 0;
  rows.forEach(([a, b], constraint) => {
    for (let i = 0; i < Math.max(a.length, b.length); i++, index++) {
      [a[i], b[i]].forEach((at, lane) => {
        if (at === undefined) return;
        terms[index * TERM_WORDS + lane] = words[at + 2] as number;
        writeLimbs(words, at + 3, memory, (factors + index * PAIR_BYTES) / 4 + lane);
      });
      terms[index * TERM_WORDS + 2] = constraint;
    }
  });
  // Convert the factor 2^512 to R², so that a product with a plain signal is in Montgomery form.
  const factor = 2n ** BigInt(3 * R_BITS - 512) % SCALAR_ORDER;
  const constant = kernel.pair(factor, factor);
  for (let i = 0; i < count; i++) {
    kernel.functions.mulR(factors + i * PAIR_BYTES, constant, factors + i * PAIR_BYTES);
  }
  return { domain: loadDomain(kernel, domainSize), terms, factors };
}

/**
 * Computes the scalars of a proof's H: A·B − C on the odd coset of the domain, where the vanishing polynomial is
 * constant. C is A·B on the domain itself.
 *
 * @param witness the values of all signals, eight words each
 * @returns scalars in [0, r], eight words each
 */
export function quotientScalars(
  kernel: Kernel,
  { domain, terms, factors }: Constraints,
  witness: Uint32Array,
): Uint32Array {
  const { functions } = kernel;
  const bytes = domain.size * PAIR_BYTES;
  const mark = kernel.mark();
  const [ab, c, abCoset, cCoset] = [kernel.alloc(bytes), kernel.alloc(bytes), kernel.alloc(bytes), kernel.alloc(bytes)];
  const signals = kernel.allocPairs(witness.length / SCALAR_WORDS);
  const list = kernel.alloc(terms.length * 4);
  const memory = kernel.words();
  for (let i = 0; i * SCALAR_WORDS < witness.length; i++) {
    for (const lane of [0, 1]) writeLimbs(witness, i * SCALAR_WORDS, memory, (signals + i * PAIR_BYTES) / 4 + lane);
  }
  for (let i = 0; i < terms.length; i += TERM_WORDS) {
    memory[list / 4 + i] = signals + (terms[i] as number) * PAIR_BYTES;
    memory[list / 4 + i + 1] = signals + (terms[i + 1] as number) * PAIR_BYTES;
    memory[list / 4 + i + 2] = ab + (domain.reversed[terms[i + 2] as number] as number) * PAIR_BYTES;
  }
  kernel.bytes().fill(0, ab, ab + bytes);
  functions.addTerms(list, list + terms.length * 4, factors);
  functions.multiplyLanes(ab, ab + bytes, c);
  extendToCoset(kernel, domain, ab, abCoset);
  extendToCoset(kernel, domain, c, cCoset);
  functions.joinProducts(abCoset, abCoset + bytes, cCoset, abCoset);
  const scalars = readScalars(kernel, abCoset, domain.size);
  kernel.release(mark);
  return scalars;
}

/** Reads the first elements of consecutive pairs, as eight words each. */
function readScalars(kernel: Kernel, row: number, count: number): Uint32Array {
  const scalars = new Uint32Array(count * SCALAR_WORDS);
  const memory = kernel.words();
  for (let i = 0; i < count; i++) {
    for (let limb = 0; limb < LIMBS; limb++) {
      const value = memory[(row + i * PAIR_BYTES) / 4 + 2 * limb] as number;
      const position = limb * LIMB_BITS;
      const word = i * SCALAR_WORDS + (position >> 5);
      const shift = position & 31;
      scalars[word] = (scalars[word] as number) | (value << shift);
      if (shift + LIMB_BITS > 32 && limb < LIMBS - 1) scalars[word + 1] = value >>> (32 - shift);
    }
  }
  return scalars;
}
