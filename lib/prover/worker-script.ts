import { repositoryRoot } from "./artifact-files";
import { type BrowserWorker, browserWorkerFile, plainPath, type WorkerFile } from "./worker-source";

const FOREVER = "public, max-age=31536000, immutable";

const built = new Map<BrowserWorker, Promise<WorkerFile>>();

/** A worker's script, built once per process from its source; in development, where sources change, each time. */
function scriptOf(worker: BrowserWorker): Promise<WorkerFile> {
  if (process.env.NODE_ENV === "development") built.delete(worker);
  const known = built.get(worker) ?? browserWorkerFile(repositoryRoot(), worker);
  built.set(worker, known);
  known.catch(() => built.delete(worker));
  return known;
}

/** The address of a worker's script; it names the content, which in development would be compiled for each page. */
export async function workerPath(worker: BrowserWorker): Promise<string> {
  return process.env.NODE_ENV === "development" ? plainPath(worker) : (await scriptOf(worker)).path;
}

/**
 * A route that returns the script of a browser's worker: under the name of its content for good, under `worker.js`
 * whatever it is now. A page of another release, while one is replaced by the next, gets today's and keeps nothing.
 */
export function workerScript(worker: BrowserWorker) {
  return async (request: Request, { params }: { params: Promise<{ file: string }> }): Promise<Response> => {
    const name = /^(?:([0-9a-f]{32})-)?worker\.js$/.exec((await params).file);
    if (!name) return new Response("Not found", { status: 404 });
    const [, hash] = name;
    const script = await scriptOf(worker);
    const etag = `"${script.hash}"`;
    const headers = {
      etag,
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": hash === script.hash ? FOREVER : hash === undefined ? "no-cache" : "no-store",
    };
    if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
    return new Response(script.source, { headers });
  };
}
