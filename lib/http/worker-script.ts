import { repositoryRoot } from "@/lib/prover/artifact-files";
import { type BrowserWorker, browserWorkerSource } from "@/lib/prover/worker-source";

/**
 * A route that returns the script of a browser's worker, built once per process from its source; in development, where
 * sources change, at each request.
 */
export function workerScript(worker: BrowserWorker): () => Promise<Response> {
  let source: Promise<string> | undefined;
  return async () => {
    if (process.env.NODE_ENV === "development") source = undefined;
    source ??= browserWorkerSource(repositoryRoot(), worker);
    try {
      const headers = { "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" };
      return new Response(await source, { headers });
    } catch (error) {
      source = undefined;
      throw error;
    }
  };
}
