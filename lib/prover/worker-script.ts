import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { repositoryRoot } from "./artifact-files";
import { type BrowserWorker, browserWorkerFile, type WorkerFile } from "./worker-source";

const brotli = promisify(brotliCompress);
/** Of 11: the slower ones cost a second for one part in thirty. */
const QUALITY = 9;
const FOREVER = "public, max-age=31536000, immutable";

interface Built extends WorkerFile {
  /** The source in Brotli: a fifth smaller than what the server compresses on the way. */
  small: Buffer<ArrayBuffer>;
}

const built = new Map<BrowserWorker, Promise<Built>>();

async function build(worker: BrowserWorker): Promise<Built> {
  const file = await browserWorkerFile(repositoryRoot(), worker);
  const small = await brotli(file.source, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });
  return { ...file, small: Buffer.from(small) };
}

/** A worker's script, built once per process from its source; in development, where sources change, each time. */
function scriptOf(worker: BrowserWorker): Promise<Built> {
  if (process.env.NODE_ENV === "development") built.delete(worker);
  const known = built.get(worker) ?? build(worker);
  built.set(worker, known);
  known.catch(() => built.delete(worker));
  return known;
}

/** The address of a worker's script; it names the content. */
export async function workerPath(worker: BrowserWorker): Promise<string> {
  return (await scriptOf(worker)).path;
}

/**
 * A route that returns the script of a browser's worker: under the name of its content for good, under `worker.js`
 * whatever it is now. A page of another release, while one is replaced by the next, gets today's and keeps nothing.
 */
export function workerScript(worker: BrowserWorker) {
  return async (request: Request, { params }: { params: Promise<{ file: string }> }): Promise<Response> => {
    const [, hash] = /^(?:([0-9a-f]{32})-)?worker\.js$/.exec((await params).file) ?? [null];
    if (hash === null) return new Response("Not found", { status: 404 });
    const script = await scriptOf(worker);
    const small = /\bbr\b/.test(request.headers.get("accept-encoding") ?? "");
    const headers = {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": hash === script.hash ? FOREVER : hash === undefined ? "no-cache" : "no-store",
      vary: "Accept-Encoding",
      ...(small && { "content-encoding": "br" }),
    };
    return new Response(small ? script.small : script.source, { headers });
  };
}
