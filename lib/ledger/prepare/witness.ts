import type { Hex } from "viem";

/** The circuits the product proves with, by the names of their artefacts. */
export const CIRCUITS = ["transfer", "release", "fund", "allocate", "balance", "at-least"] as const;
/** These, and those of the ledger's second edition. */
export type CircuitName = (typeof CIRCUITS)[number] | "spend" | "spend-public" | "pay-many";

/**
 * The window of every budget while no ledger counts payments: what was spent and on which day. Such a word is
 * Poseidon(2, limit, salt).
 */
export const NOTHING_COUNTED = { spent: 0n, day: 0n } as const;

/** The inputs of a circuit by signal name (docs/protocol.md section 5), public and private, all below r. */
export type CircuitInput = Record<string, bigint | readonly bigint[]>;

/** A proof of 256 bytes in the order the EVM takes it, and the public signals it is for. */
export interface ProofResult {
  proof: Hex;
  publicSignals: bigint[];
}

/** Makes a proof: a worker pool on the server, a Web Worker in the browser. */
export type Prove = (circuit: CircuitName, input: CircuitInput) => Promise<ProofResult>;
