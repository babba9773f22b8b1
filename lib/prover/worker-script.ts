import { repositoryRoot } from "./artifact-files";
import { type BrowserWorker, plainPath, workerFiles } from "./worker-source";

const FOREVER = "public, max-age=31536000, immutable";

const built = new Map<BrowserWorker, ReturnType<typeof workerFiles>>();

/**
 * Returns a worker's scripts, built once per process. In development, where sources change, they are built each time.
 */
function scriptsOf(worker: BrowserWorker): ReturnType<typeof workerFiles> {
  if (process.env.NODE_ENV === "development") built.delete(worker);
  const known = built.get(worker) ?? workerFiles(repositoryRoot(), worker);
  built.set(worker, known);
  known.catch(() => built.delete(worker));
  return known;
}

/**
 * Returns the address of a worker's script, which contains the content hash. In development it does not, because the
 * script would be compiled for each page.
 */
export async function workerPath(worker: BrowserWorker): Promise<string> {
  return process.env.NODE_ENV === "development" ? plainPath(worker) : (await scriptsOf(worker))[0].path;
}

/**
 * Returns a route that serves the scripts of a browser worker. Addresses with a content hash are cached for good;
 * `worker.js` is always the current script. During a deployment, a page of another release gets the current script,
 * uncached.
 */
export function workerScript(worker: BrowserWorker) {
  return async (request: Request, { params }: { params: Promise<{ file: string }> }): Promise<Response> => {
    const { file } = await params;
    const [first, ...later] = await scriptsOf(worker);
    const name = /^(?:([0-9a-f]{32})-)?worker\.js$/.exec(file);
    // A later part of another release is refused, because it would run together with this release's first part.
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
