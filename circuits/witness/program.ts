/**
 * A witness program: how the witness of a circuit follows from its inputs. It has no branches: each instruction computes
 * the next slots from earlier ones, or checks what they hold. Slot 0 holds 1, the inputs follow, then what the
 * instructions compute, in their order. All arithmetic is in the field of order r.
 *
 * The file, whose numbers are unsigned LEB128 unless noted:
 *
 *   "wtnp", version
 *   inputs:        count, each: length of its name, name (ASCII), 0 for a single signal or 1 + the length of an array
 *   numbers:       count, each: 2 * (bytes) + (1 if negative), absolute value (little endian); number 0 is 0
 *   instructions:  count, each: kind, then what `Instruction` says
 *   wires:         count, each: the slot that holds it; in the order of the witness, the constant 1 first
 *
 * A sum is: a number; count and slots of the terms with factor 1; count of other terms, and slot and number of each.
 */
export interface Program {
  inputs: ProgramInput[];
  instructions: Instruction[];
  wires: number[];
}

export interface ProgramInput {
  name: string;
  /** Of an array, its signals in a row; null for a single signal. */
  length: number | null;
}

/** A linear combination of slots: `constant + Σ values[plain] + Σ factors[i] · values[weighted[i]]`. */
export interface Sum {
  constant: bigint;
  plain: number[];
  weighted: number[];
  /** Below r/2 in absolute value: small ones cost less. */
  factors: bigint[];
}

/** By kind, as numbered in the file. */
export type Instruction =
  /** 0: the next slot is a sum. */
  | { kind: "sum"; sum: Sum }
  /** 1: the next slot is `a · b + sum`. */
  | { kind: "product"; a: Sum; b: Sum; sum: Sum }
  /** 2: the next `count` slots are the bits of a sum, the lowest first. It must fit. */
  | { kind: "bits"; sum: Sum; count: number }
  /** 3: the next slot is the inverse of a sum; 0 for 0. */
  | { kind: "inverse"; sum: Sum }
  /** 4: `a · b + sum` must be 0. */
  | { kind: "check"; a: Sum; b: Sum; sum: Sum };

export const KINDS = ["sum", "product", "bits", "inverse", "check"] as const satisfies Instruction["kind"][];

export const MAGIC = [0x77, 0x74, 0x6e, 0x70] as const;
export const VERSION = 1;
/** More bits could hold a number beyond r, and so differ from those of the number that is meant. */
export const MOST_BITS = 253;
