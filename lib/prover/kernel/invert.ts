import type { Kernel } from "./kernel";
import { LIMBS, PAIR_BYTES } from "./limbs";
import { BASE_ORDER } from "./orders";

const WINDOW_BITS = 4;

/** Digits of p − 2, highest first. Raising to this power inverts (Fermat). */
const DIGITS = [...(BASE_ORDER - 2n).toString(16)].map((digit) => Number.parseInt(digit, 16));

/** Replaces both elements of a pair by their inverses, and 0 by 0. */
export function invertPair(kernel: Kernel, pair: number): void {
  const { mul } = kernel.functions;
  const mark = kernel.mark();
  const powers = kernel.allocPairs(1 << WINDOW_BITS);
  const power = (exponent: number) => powers + exponent * PAIR_BYTES;
  kernel.copyPair(pair, power(1));
  for (let i = 2; i < 1 << WINDOW_BITS; i++) mul(power(i - 1), pair, power(i));
  const [first = 0, ...others] = DIGITS;
  kernel.copyPair(power(first), pair);
  for (const digit of others) {
    for (let bit = 0; bit < WINDOW_BITS; bit++) mul(pair, pair, pair);
    if (digit !== 0) mul(pair, power(digit), pair);
  }
  kernel.release(mark);
}

/** Replaces x + yi by x − yi. */
export function conjugate(kernel: Kernel, element: number): void {
  const words = kernel.words();
  for (let i = 0; i < LIMBS; i++) {
    const at = element / 4 + 2 * i + 1;
    words[at] = -(words[at] as number);
  }
}

/** Replaces an element of the extension field by its inverse, (x − yi) / (x² + y²), and 0 by 0. */
export function invertExtension(kernel: Kernel, element: number): void {
  const mark = kernel.mark();
  const norm = kernel.allocPairs(1);
  const conjugated = kernel.allocPairs(1);
  kernel.copyPair(element, conjugated);
  conjugate(kernel, conjugated);
  kernel.functions.extMul(element, conjugated, norm);
  invertPair(kernel, norm);
  kernel.functions.extMul(conjugated, norm, element);
  kernel.release(mark);
}
