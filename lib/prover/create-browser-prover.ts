import type { Prover, ProverReply } from "./prover";
import { type StartThread, WorkerPool } from "./worker-pool";

/** How many proofs a page may queue. More indicates a bug in the page. */
const QUEUE_LIMIT = 32;

/** Starts the service's own worker, which fetches circuits and keys from `/circuits` at first use. */
const servedWorker = () => new Worker("/prover/worker.js", { name: "prover" });

/**
 * Creates the browser's prover: one Web Worker, so that the page stays responsive. The witness never leaves the
 * browser. Call `close` when the page is done with it.
 *
 * @param makeWorker starts a different worker that takes the same jobs
 */
export function createBrowserProver(makeWorker: () => Worker = servedWorker): Prover {
  const start: StartThread = (onReply, onDeath) => {
    const worker = makeWorker();
    worker.addEventListener("message", ({ data }: MessageEvent<ProverReply>) => onReply(data));
    worker.addEventListener("error", () => {
      worker.terminate();
      onDeath();
    });
    return { post: (job) => worker.postMessage(job), terminate: () => worker.terminate() };
  };
  const pool = new WorkerPool(start, 1, QUEUE_LIMIT);
  // Separate functions that need no `this`, because clients pass `prove` on.
  return {
    prove: (circuit, input) => pool.prove(circuit, input),
    verify: (circuit, proof, publicSignals) => pool.verify(circuit, proof, publicSignals),
    close: () => pool.close(),
  };
}
