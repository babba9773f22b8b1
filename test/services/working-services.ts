import { runWorker } from "@/lib/worker/run-worker";
import { startLocalServices } from "./local-services";

export interface WorkingServices {
  /** Stops the worker while `work` runs, so that operations requested meanwhile stay pending. */
  withoutWorker<T>(work: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

/** Starts local services and a worker, which run until stopped. Most tests of money need these. */
export async function startWorkingServices(): Promise<WorkingServices> {
  const services = await startLocalServices();
  let worker = startWorker();
  return {
    async withoutWorker(work) {
      await worker.stop();
      try {
        return await work();
      } finally {
        worker = startWorker();
      }
    },
    async stop() {
      await worker.stop();
      await services.stop();
    },
  };
}

function startWorker(): { stop(): Promise<void> } {
  const end = new AbortController();
  const ended = runWorker(end.signal);
  return {
    async stop() {
      end.abort();
      await ended;
    },
  };
}
