import { availableParallelism } from "node:os";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import { repositoryRoot } from "./artifact-files";
import type { TablesWhen } from "./node-worker";
import type { ProverReply } from "./prover";
import { type JobReport, type StartThread, WorkerPool } from "./worker-pool";
import { nodeWorkerSource } from "./worker-source";

interface ServerProverOptions {
  /** Number of threads; one per core by default. */
  workers?: number;
  /** How many jobs may wait; 64 per thread by default. */
  queueLimit?: number;
  /**
   * After how many transfer proofs a thread builds tables for the proving key (see `ProverEngine.addTables`), once it
   * is idle. Larger circuits need more proofs; 0 builds the tables before the first proof. The default is 16: after
   * that many proofs the tables pay off, and a process that proves less never builds them.
   */
  tablesAfter?: number;
  /** Called after every job, with its report. */
  onDone?: (report: JobReport) => void;
  /** Returns the account that the current job is for; none by default. */
  accountOf?: () => string;
  /** The repository's root, if the working directory is outside of it. */
  root?: string;
}

/**
 * Creates the server's prover: long-lived worker threads that keep the curve, circuits and keys in memory. Create one
 * per process and `close` it at the end.
 */
export async function createServerProver(options: ServerProverOptions = {}): Promise<WorkerPool> {
  const root = options.root ?? repositoryRoot();
  const workers = options.workers ?? availableParallelism();
  const queueLimit = options.queueLimit ?? 64 * workers;
  const source = await nodeWorkerSource(root);
  const tables: TablesWhen = { after: options.tablesAfter ?? 16 };
  // V8 gives each thread that begins from here on 16 MB for new objects, its default, whatever the process has for its
  // own (scripts/stack/node-flags.ts): a proof's numbers are in WebAssembly's memory. That would be 100 MB a thread more.
  setFlagsFromString("--max-semi-space-size=16");
  const start: StartThread = (onReply, onDeath) => {
    const worker = new Worker(source, { eval: true, workerData: { root, tables } });
    worker.on("message", (reply: ProverReply) => onReply(reply));
    // The `exit` event reports the same failure; without this listener the error would end the process.
    worker.on("error", () => {});
    worker.once("exit", onDeath);
    return { post: (job) => worker.postMessage(job), terminate: () => void worker.terminate() };
  };
  return new WorkerPool(start, workers, queueLimit, options.onDone, options.accountOf);
}
