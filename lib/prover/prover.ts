import type { Hex } from "viem";
import type { CircuitInput, CircuitName, ProofResult } from "@/lib/ledger/prepare/witness";

/**
 * Makes and checks Groth16 proofs. One interface for the worker pool of the server, a Web Worker in the browser and
 * a single process. `prove` fits `Prove` of the ledger library.
 */
export interface Prover {
  /** Throws `UnsatisfiedCircuit`, `ProverBusy` (queue full), `ProverFailed` (a worker died) or `ProverUnsupported`. */
  prove(circuit: CircuitName, input: CircuitInput): Promise<ProofResult>;
  /** False also for whatever is malformed. Throws `ProverBusy`, `ProverFailed` and `ProverUnsupported`. */
  verify(circuit: CircuitName, proof: Hex, publicSignals: readonly bigint[]): Promise<boolean>;
  close(): Promise<void>;
}

/** The queue is full: try again shortly. The API returns 503 `unavailable`. */
export class ProverBusy extends Error {
  override readonly name = "ProverBusy";
  constructor() {
    super("The prover's queue is full. Try again shortly.");
  }
}

/** A worker died or could not start; the next call gets a fresh one. Never says what was to be proven. */
export class ProverFailed extends Error {
  override readonly name = "ProverFailed";
  constructor(reason: string) {
    super(`The prover failed: ${reason}.`);
  }
}

/** Where the artefacts of a circuit come from: files on a server, fetched in a browser. */
export interface ArtifactSource {
  /** `<circuit>.witness`, `<circuit>.zkey` or `<circuit>.vkey.json`. */
  read(file: string): Promise<Uint8Array>;
}

/** A proof that the thread which made it checks as well. */
export interface CheckedProof extends ProofResult {
  /** Whether it verifies. It says so later: what follows from the proof may go on meanwhile, and be undone. */
  verified: Promise<boolean>;
}

/** A prover that checks its own proofs. */
export interface CheckingProver extends Prover {
  /**
   * As `prove`, and then `verify` of the proof with its public signals, for which it does not queue again.
   *
   * @param signals the public signals that were planned: a prover elsewhere could return a true proof of something else
   */
  proveAndVerify(circuit: CircuitName, input: CircuitInput, signals: readonly bigint[]): Promise<CheckedProof>;
}

/** What a pool sends its workers. With `check`, a proof's verification follows in a second reply. */
export type ProverJob =
  | { id: number; kind: "prove"; circuit: CircuitName; input: CircuitInput; check?: boolean }
  | { id: number; kind: "verify"; circuit: CircuitName; proof: Hex; publicSignals: readonly bigint[] };

/** What a worker returns. An error keeps its name only: messages of foreign code could hold values. */
export type ProverReply =
  | { id: number; proven: ProofResult }
  | { id: number; verified: boolean }
  | { id: number; error: "UnsatisfiedCircuit" | "ProverUnsupported" | "ProverFailed" };
