import { repositoryRoot } from "./artifact-files";
import { type BrowserWorker, plainPath, workerFiles } from "./worker-source";

const FOREVER = "public, max-age=31536000, immutable";

const built = new Map<BrowserWorker, ReturnType<typeof workerFiles>>();

/** A worker's scripts, built once per process from their source; in development, where sources change, each time. */
function scriptsOf(worker: BrowserWorker): ReturnType<typeof workerFiles> {
  if (process.env.NODE_ENV === "development") built.delete(worker);
  const known = built.get(worker) ?? workerFiles(repositoryRoot(), worker);
  built.set(worker, known);
  known.catch(() => built.delete(worker));
  return known;
}

/** The address of a worker's script; it names the content, which in development would be compiled for each page. */
export async function workerPath(worker: BrowserWorker): Promise<string> {
  return process.env.NODE_ENV === "development" ? plainPath(worker) : (await scriptsOf(worker))[0].path;
}

/**
 * A route that returns the scripts of a browser's worker: under the names of their content for good, under `worker.js`
 * whatever it is now. A page of another release, while one is replaced by the next, gets today's and keeps nothing.
 */
export function workerScript(worker: BrowserWorker) {
  return async (request: Request, { params }: { params: Promise<{ file: string }> }): Promise<Response> => {
    const { file } = await params;
    const [first, ...later] = await scriptsOf(worker);
    const name = /^(?:([0-9a-f]{32})-)?worker\.js$/.exec(file);
    // The later part of another release is not there: it would run beside the first one of this.
    const script = name ? first : later.find(({ path }) => path.endsWith(`/${file}`));
    if (!script) return new Response("Not found", { status: 404 });
    const hash = name ? name[1] : script.hash;
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
