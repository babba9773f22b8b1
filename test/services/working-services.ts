import { runWorker } from "@/lib/jobs/run-worker";
import { startLocalServices } from "./local-services";

export interface WorkingServices {
  /** Stops the worker for as long as this runs: what is asked for meanwhile stays on its way. */
  withoutWorker<T>(work: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

/** Local services and a worker that runs until they are stopped: what most tests of money need. */
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
