import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { repositoryRoot } from "./artifact-files";
import type { TablesWhen } from "./node-worker";
import type { ProverReply } from "./prover";
import { type JobReport, type StartThread, WorkerPool } from "./worker-pool";
import { nodeWorkerSource } from "./worker-source";

export interface ServerProverOptions {
  /** Threads; one per core when left out. */
  workers?: number;
  /** Jobs that may wait; 64 per thread when left out. */
  queueLimit?: number;
  /**
   * After how many proofs of a transfer a thread makes tables of its key (see `ProverEngine.addTables`), as soon as it is
   * idle; of larger circuits later; 0: before the first. 16 when left out: what they save has paid for them by then, and
   * a process that proves less never pays.
   */
  tablesAfter?: number;
  /** Called for every job that ended. */
  onDone?: (report: JobReport) => void;
  /** Whose job it is that is being asked for; no one's when left out. */
  accountOf?: () => string;
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
  const tables: TablesWhen = { after: options.tablesAfter ?? 16 };
  const start: StartThread = (onReply, onDeath) => {
    const worker = new Worker(source, { eval: true, workerData: { root, tables } });
    worker.on("message", (reply: ProverReply) => onReply(reply));
    // Its exit says the same; without a listener the error would end the process.
    worker.on("error", () => {});
    worker.once("exit", onDeath);
    return { post: (job) => worker.postMessage(job), terminate: () => void worker.terminate() };
  };
  return new WorkerPool(start, workers, queueLimit, options.onDone, options.accountOf);
}
