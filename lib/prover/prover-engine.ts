import type { Hex } from "viem";
import type { Program } from "@/circuits/witness/program";
import { readProgram } from "@/circuits/witness/read-program";
import { runProgram } from "@/circuits/witness/run-program";
import { UnsatisfiedCircuit } from "@/circuits/witness/unsatisfied-circuit";
import type { CircuitInput, CircuitName, ProofResult } from "@/lib/ledger/prepare/witness";
import { loadProvingKey, type ProvingKey, proveGroth16, publicSignalsOf } from "./groth16-prove";
import { loadVerifyingKey, type VerificationKeyJson, type VerifyingKey, verifyGroth16 } from "./groth16-verify";
import { Kernel } from "./kernel/kernel";
import { ProverUnsupported } from "./kernel/prover-unsupported";
import type { ArtifactSource, ProverJob, ProverReply } from "./prover";
import { witnessBytes } from "./witness-bytes";

interface ProvingCircuit {
  program: Program;
  key: ProvingKey;
}

/**
 * Proves and verifies in the calling thread. Keeps the kernel, witness programs and parsed keys after their first use.
 */
export class ProverEngine {
  private readonly proving = new Map<CircuitName, Promise<ProvingCircuit>>();
  private readonly verifying = new Map<CircuitName, Promise<VerifyingKey>>();

  private constructor(
    private readonly kernel: Kernel,
    private readonly artifacts: ArtifactSource,
  ) {}

  static async build(artifacts: ArtifactSource): Promise<ProverEngine> {
    return new ProverEngine(await Kernel.build(), artifacts);
  }

  private async loadProving(circuit: CircuitName, tables: boolean): Promise<ProvingCircuit> {
    const [program, zkey] = await Promise.all([
      this.artifacts.read(`${circuit}.witness`),
      this.artifacts.read(`${circuit}.zkey`),
    ]);
    return { program: readProgram(program), key: loadProvingKey(this.kernel, zkey, tables) };
  }

  private async loadVerifying(circuit: CircuitName): Promise<VerifyingKey> {
    const text = new TextDecoder().decode(await this.artifacts.read(`${circuit}.vkey.json`));
    return loadVerifyingKey(this.kernel, JSON.parse(text) as VerificationKeyJson);
  }

  /**
   * Precomputes tables for a circuit's proving key. This takes half a second to three seconds. A proof then takes 50 to
   * 90% of the time, with the greatest gain for the smallest circuits (bench/README.md). Circuits are first loaded
   * without tables; the memory of that key, one to five megabytes, is not freed.
   */
  async addTables(circuit: CircuitName): Promise<void> {
    this.proving.set(circuit, Promise.resolve(await this.loadProving(circuit, true)));
  }

  /** Loads what a proof needs, which would otherwise happen with the first one. */
  private loadAhead(circuit: CircuitName): Promise<ProvingCircuit> {
    return remember(this.proving, circuit, () => this.loadProving(circuit, false));
  }

  /**
   * Creates a proof.
   *
   * @throws UnsatisfiedCircuit
   */
  async prove(circuit: CircuitName, input: CircuitInput): Promise<ProofResult> {
    const { program, key } = await this.loadAhead(circuit);
    const witness = witnessBytes(runProgram(program, input));
    const proven = { proof: proveGroth16(this.kernel, key, witness), publicSignals: publicSignalsOf(key, witness) };
    witness.fill(0);
    return proven;
  }

  async verify(circuit: CircuitName, proof: Hex, publicSignals: readonly bigint[]): Promise<boolean> {
    const key = await remember(this.verifying, circuit, () => this.loadVerifying(circuit));
    return verifyGroth16(this.kernel, key, proof, publicSignals);
  }

  /** Runs a pool's job. Never throws: the reply contains the name of any error. */
  async reply(job: ProverJob): Promise<ProverReply> {
    try {
      if (job.kind === "verify") {
        return { id: job.id, verified: await this.verify(job.circuit, job.proof, job.publicSignals) };
      }
      return { id: job.id, proven: await this.prove(job.circuit, job.input) };
    } catch (error) {
      return { id: job.id, error: error instanceof UnsatisfiedCircuit ? "UnsatisfiedCircuit" : "ProverFailed" };
    }
  }
}

/**
 * Runs a job with an engine that may have failed to start. Never throws. Yields the proof first, then the result of its
 * check.
 */
export async function* repliesOf(engine: Promise<ProverEngine>, job: ProverJob): AsyncGenerator<ProverReply> {
  const reply = await replyOf(engine, job);
  yield reply;
  if (!("proven" in reply) || job.kind !== "prove" || !job.check) return;
  yield await replyOf(engine, { id: job.id, kind: "verify", circuit: job.circuit, ...reply.proven });
}

async function replyOf(engine: Promise<ProverEngine>, job: ProverJob): Promise<ProverReply> {
  try {
    return await (await engine).reply(job);
  } catch (error) {
    return { id: job.id, error: error instanceof ProverUnsupported ? "ProverUnsupported" : "ProverFailed" };
  }
}

/**
 * Returns a cached value, computing it at first use. A failed attempt is dropped, so that the next call tries again.
 */
function remember<V>(known: Map<CircuitName, Promise<V>>, key: CircuitName, make: () => Promise<V>): Promise<V> {
  const found = known.get(key);
  if (found) return found;
  const value = make();
  known.set(key, value);
  value.catch(() => known.delete(key));
  return value;
}
