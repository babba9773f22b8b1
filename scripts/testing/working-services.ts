import { runWorker } from "@/lib/jobs/run-worker";
import { startLocalServices } from "./local-services";

/** Local services and a worker that runs until they are stopped: what most tests of money need. */
export async function startWorkingServices(): Promise<{ stop: () => Promise<void> }> {
  const services = await startLocalServices();
  const end = new AbortController();
  const worker = runWorker(end.signal);
  return {
    async stop() {
      end.abort();
      await worker;
      await services.stop();
    },
  };
}
