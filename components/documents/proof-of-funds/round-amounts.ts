import type { Decimals } from "@/lib/base/money";

/** The powers of ten of the offered minimums, by an asset's decimal places: dollars, and fractions of an ether. */
const POWERS: Record<Decimals, { from: number; to: number }> = { 6: { from: 0, to: 8 }, 9: { from: -3, to: 4 } };

function roundAmount(digit: number, power: number): string {
  return power >= 0 ? `${digit}${"0".repeat(power)}` : `0.${"0".repeat(-power - 1)}${digit}`;
}

/** Returns the minimums that can be proved of an asset, as decimal strings, smallest first. */
export function roundAmounts(decimals: Decimals): string[] {
  const { from, to } = POWERS[decimals];
  const powers = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  return powers.flatMap((power) => [1, 2, 5].map((digit) => roundAmount(digit, power)));
}
