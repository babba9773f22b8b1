import type { Hex } from "viem";

/** The circuits of the product, by the names of their artifacts. */
export const CIRCUITS = [
  "transfer",
  "release",
  "spend",
  "spend-public",
  "pay-many",
  "fund",
  "make-available",
  "balance",
  "at-least",
] as const;
export type CircuitName = (typeof CIRCUITS)[number];

/** The inputs of a circuit by signal name (docs/protocol.md section 5), public and private, all below r. */
export type CircuitInput = Record<string, bigint | readonly bigint[]>;

/** A proof of 256 bytes in the EVM's order, and its public signals. */
export interface ProofResult {
  proof: Hex;
  publicSignals: bigint[];
}

/** Creates a proof: on the server with a worker pool, in the browser with a Web Worker. */
export type Prove = (circuit: CircuitName, input: CircuitInput) => Promise<ProofResult>;
