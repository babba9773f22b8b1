import type { CircuitInput, ProofResult } from "../../prepare/witness";

/** The circuits that a call of the second edition is proven with, by the names of their artefacts. */
export type CircuitName = "transfer" | "release" | "spend" | "spend-public" | "pay-many" | "fund" | "allocate";

/** Makes a proof: a worker pool on the server, a Web Worker in the browser. */
export type Prove = (circuit: CircuitName, input: CircuitInput) => Promise<ProofResult>;
