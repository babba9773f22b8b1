import type { Hex } from "viem";
import type { CircuitInput, CircuitName, ProofResult } from "@/lib/ledger/prepare/witness";

/**
 * Creates and verifies Groth16 proofs. This interface is implemented by the server's worker pool, the browser's Web
 * Worker and the in-thread prover. `prove` has the type of `Prove` in the ledger library.
 */
export interface Prover {
  /**
   * Creates a proof.
   *
   * @throws UnsatisfiedCircuit, ProverBusy (queue full), ProverFailed (a worker died) or ProverUnsupported
   */
  prove(circuit: CircuitName, input: CircuitInput): Promise<ProofResult>;
  /**
   * Verifies a proof. Returns false for malformed input too.
   *
   * @throws ProverBusy, ProverFailed or ProverUnsupported
   */
  verify(circuit: CircuitName, proof: Hex, publicSignals: readonly bigint[]): Promise<boolean>;
  /**
   * Loads a circuit, with tables for its proving key, before the first of many proofs. Where it is missing, the first
   * proof takes longer, and each where nothing else makes tables.
   */
  loadAhead?(circuit: CircuitName): Promise<unknown>;
  close(): Promise<void>;
}

/** The queue is full. The caller should try again shortly; the API returns 503 `unavailable`. */
export class ProverBusy extends Error {
  override readonly name = "ProverBusy";
  constructor() {
    super("The prover's queue is full. Try again shortly.");
  }
}

/** A worker died or could not start. The next call gets a new one. The message never contains the input. */
export class ProverFailed extends Error {
  override readonly name = "ProverFailed";
  constructor(reason: string) {
    super(`The prover failed: ${reason}.`);
  }
}

/** A source of circuit artifacts: files on a server, fetched in a browser. */
export interface ArtifactSource {
  /** Reads a file: `<circuit>.witness`, `<circuit>.zkey` or `<circuit>.vkey.json`. */
  read(file: string): Promise<Uint8Array>;
}

/** A proof that is still being verified. */
export interface CheckedProof extends ProofResult {
  /**
   * Whether the proof is valid. Resolves later, so that the caller can go on in the meantime and undo its work if it is
   * not.
   */
  verified: Promise<boolean>;
}

/** A prover that also verifies the proofs it makes. */
export interface CheckingProver extends Prover {
  /**
   * Like `prove`, followed by `verify` of the proof with its public signals, without queueing a second time.
   */
  proveAndVerify(circuit: CircuitName, input: CircuitInput): Promise<CheckedProof>;
}

/** A job for a worker. With `check`, the worker verifies the proof as well and sends the result as a second reply. */
export type ProverJob =
  | { id: number; kind: "prove"; circuit: CircuitName; input: CircuitInput; check?: boolean }
  | { id: number; kind: "verify"; circuit: CircuitName; proof: Hex; publicSignals: readonly bigint[] };

/**
 * A worker's reply. Of an error only the name is passed on, because messages of third-party code may contain values.
 */
export type ProverReply =
  | { id: number; proven: ProofResult }
  | { id: number; verified: boolean }
  | { id: number; error: "UnsatisfiedCircuit" | "ProverUnsupported" | "ProverFailed" };
