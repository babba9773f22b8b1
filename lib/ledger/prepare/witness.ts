import type { Hex } from "viem";

/** The circuits the product proves with, by the names of their artefacts. */
export const CIRCUITS = [
  "transfer",
  "release",
  "spend",
  "spend-public",
  "pay-many",
  "fund",
  "allocate",
  "balance",
  "at-least",
] as const;
export type CircuitName = (typeof CIRCUITS)[number];

/** The inputs of a circuit by signal name (docs/protocol.md section 5), public and private, all below r. */
export type CircuitInput = Record<string, bigint | readonly bigint[]>;

/** A proof of 256 bytes in the order the EVM takes it, and the public signals it is for. */
export interface ProofResult {
  proof: Hex;
  publicSignals: bigint[];
}

/** Makes a proof: a worker pool on the server, a Web Worker in the browser. */
export type Prove = (circuit: CircuitName, input: CircuitInput) => Promise<ProofResult>;
