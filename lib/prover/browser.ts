import type { Prover, ProverAnswer } from "./prover";
import { type StartThread, WorkerPool } from "./worker-pool";

/** Proofs a page may have waiting: more is a mistake of the page. */
const QUEUE_LIMIT = 32;

const start: StartThread = (onAnswer, onDeath) => {
  const worker = new Worker("/prover/worker.js", { name: "prover" });
  worker.addEventListener("message", ({ data }: MessageEvent<ProverAnswer>) => onAnswer(data));
  worker.addEventListener("error", () => {
    worker.terminate();
    onDeath();
  });
  return { post: (job) => worker.postMessage(job), terminate: () => worker.terminate() };
};

/**
 * The browser's prover: one Web Worker, so that the page stays responsive; the witness never leaves the browser.
 * Circuits and keys are fetched from `/circuits` at first use. `close` it when the page is done.
 */
export function createBrowserProver(): Prover {
  return new WorkerPool(start, 1, QUEUE_LIMIT);
}
