import type { Prover, ProverReply } from "./prover";
import { type StartThread, WorkerPool } from "./worker-pool";

/** Proofs a page may have waiting: more is a mistake of the page. */
const QUEUE_LIMIT = 32;

/** The service's own worker. Circuits and keys are fetched from `/circuits` at first use. */
const servedWorker = () => new Worker("/prover/worker.js", { name: "prover" });

/**
 * The browser's prover: one Web Worker, so that the page stays responsive; the witness never leaves the browser.
 * `close` it when the page is done.
 *
 * @param makeWorker starts another worker that takes the same jobs
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
  // Each stands alone: clients pass `prove` on.
  return {
    prove: (circuit, input) => pool.prove(circuit, input),
    verify: (circuit, proof, publicSignals) => pool.verify(circuit, proof, publicSignals),
    close: () => pool.close(),
  };
}
