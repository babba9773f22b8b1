import { AffineBatch } from "./affine-batch";
import { SCALAR_WORDS, type Windows } from "./digits";
import { type CurveGroup, POINT_BYTES } from "./group";
import type { Kernel } from "./kernel";
import { LIMB_BITS, LIMBS, PAIR_BYTES, R_BITS } from "./limbs";
import { BASE_ORDER } from "./orders";

/** Size of a coordinate in a proving key: little endian, times 2^256. */
const COORDINATE_BYTES = 32;

/** Points of a proving key in the kernel's memory, with the scalar that belongs to each. */
export interface Bases {
  /** Pointer to a row of affine points; with tables, one row per window. Points at infinity are left out. */
  points: number;
  rowBytes: number;
  /** Index of each point's scalar. */
  scalarIndex: Uint32Array;
}

/** A point in a proving key's encoding, and the index of its scalar. */
interface KeyPoint {
  bytes: Uint8Array;
  scalar: number;
}

/** Returns the points of a section of a proving key. The first point has the scalar with index `first`. */
export function sectionPoints(section: Uint8Array, group: CurveGroup, first: number): KeyPoint[] {
  const size = 2 * COORDINATE_BYTES * Number(group);
  return Array.from({ length: section.length / size }, (_, i) => ({
    bytes: section.subarray(i * size, (i + 1) * size),
    scalar: first + i,
  }));
}

/** Loads the finite points among these into the kernel's memory, with tables if `windows` asks for them. */
export function loadBases(kernel: Kernel, group: CurveGroup, all: readonly KeyPoint[], windows: Windows): Bases {
  const finite = all.filter(({ bytes }) => bytes.some((byte) => byte !== 0));
  const rowBytes = finite.length * POINT_BYTES[group];
  const rows = windows.tables ? windows.count : 1;
  const points = kernel.alloc(rows * rowBytes);
  const words = kernel.words();
  finite.forEach(({ bytes }, i) => {
    const coordinates = toWords32(bytes);
    for (let pair = 0; pair < Number(group); pair++) {
      const to = points + i * POINT_BYTES[group] + pair * PAIR_BYTES;
      const from = 2 * pair * SCALAR_WORDS;
      for (const lane of [0, 1]) writeLimbs(coordinates, from + lane * SCALAR_WORDS, words, to / 4 + lane);
    }
  });
  toKernelForm(kernel, points, rowBytes / PAIR_BYTES);
  doubleRows(kernel, group, points, rowBytes, rows, windows.bits);
  return { points, rowBytes, scalarIndex: Uint32Array.from(finite, ({ scalar }) => scalar) };
}

/**
 * Returns a copy of bytes as words. The constructor copies; the `slice` of a Node Buffer would return a view whose
 * `buffer` is the whole file.
 */
export const toWords32 = (bytes: Uint8Array): Uint32Array => new Uint32Array(new Uint8Array(bytes).buffer);

/** Writes 256 bits (eight words) as limbs into a lane. */
export function writeLimbs(from: Uint32Array, at: number, to: Int32Array, lane: number): void {
  const mask = 2 ** LIMB_BITS - 1;
  for (let i = 0; i < LIMBS; i++) {
    const position = i * LIMB_BITS;
    const word = position >> 5;
    const shift = position & 31;
    const low = (from[at + word] as number) >>> shift;
    const high =
      shift + LIMB_BITS > 32 && word + 1 < SCALAR_WORDS ? (from[at + word + 1] as number) << (32 - shift) : 0;
    to[lane + 2 * i] = (low | high) & mask;
  }
}

/** Converts elements from Montgomery form with 2^256 to the kernel's, with R. */
function toKernelForm(kernel: Kernel, first: number, pairs: number): void {
  const factor = 2n ** BigInt(2 * R_BITS - 256) % BASE_ORDER;
  const mark = kernel.mark();
  const constant = kernel.pair(factor, factor);
  for (let i = 0; i < pairs; i++) kernel.functions.mul(first + i * PAIR_BYTES, constant, first + i * PAIR_BYTES);
  kernel.release(mark);
}

/** Fills the rows of tables: each is 2^bits times the row before. */
function doubleRows(
  kernel: Kernel,
  group: CurveGroup,
  points: number,
  rowBytes: number,
  rows: number,
  bits: number,
): void {
  const mark = kernel.mark();
  const batch = new AffineBatch(kernel, group);
  const size = POINT_BYTES[group];
  for (let row = 1; row < rows; row++) {
    for (let bit = 0; bit < bits; bit++) {
      const jobs: [number, number][] = [];
      for (let at = 0; at < rowBytes; at += size) {
        const to = points + row * rowBytes + at;
        jobs.push([bit === 0 ? to - rowBytes : to, to]);
      }
      batch.double(jobs);
    }
  }
  kernel.release(mark);
}
