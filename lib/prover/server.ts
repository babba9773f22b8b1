import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { CircuitName } from "@/lib/ledger/witness";
import { repositoryRoot } from "./artifact-files";
import type { ProverAnswer } from "./prover";
import { type JobReport, type StartThread, WorkerPool } from "./worker-pool";
import { nodeWorkerSource } from "./worker-source";

export interface ServerProverOptions {
  /** Threads; one per core when left out. */
  workers?: number;
  /** Jobs that may wait; 64 per thread when left out. */
  queueLimit?: number;
  /** Circuits that are loaded and given tables before the first job; the others are loaded at first use. */
  warm?: CircuitName[];
  /** Told of every job that ended. */
  onDone?: (report: JobReport) => void;
  /** The repository's root, when the working directory lies outside of it. */
  root?: string;
}

/**
 * The server's prover: long-lived worker threads that keep curve, circuits and keys warm. Make one per process and
 * `close` it at the end.
 */
export async function createServerProver(options: ServerProverOptions = {}): Promise<WorkerPool> {
  const root = options.root ?? repositoryRoot();
  const workers = options.workers ?? availableParallelism();
  const queueLimit = options.queueLimit ?? 64 * workers;
  const source = await nodeWorkerSource(root);
  const warm = options.warm ?? ["transfer"];
  const start: StartThread = (onAnswer, onDeath) => {
    const worker = new Worker(source, { eval: true, workerData: { root, warm } });
    worker.on("message", (answer: ProverAnswer) => onAnswer(answer));
    // Its exit says the same; without a listener the error would end the process.
    worker.on("error", () => {});
    worker.once("exit", onDeath);
    return { post: (job) => worker.postMessage(job), terminate: () => void worker.terminate() };
  };
  return new WorkerPool(start, workers, queueLimit, options.onDone);
}
