import { runWorker } from "@/lib/worker/run-worker";

/** Runs a worker while `work` runs. */
export async function withWorker<T>(work: () => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const worker = runWorker(stop.signal);
  try {
    return await work();
  } finally {
    stop.abort();
    await worker;
  }
}
