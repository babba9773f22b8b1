import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/*
 * Scripts and styles whose address names their content, compressed once for all requests. Brotli at its best takes a
 * second for each megabyte and saves a tenth of what gzip leaves: too slow to do for every request.
 */

/** Where a build keeps them, below its `distDir`; each at its address, by encoding. */
const FOLDER = "packed";

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

/** The encodings, best first, with how the files are named (RFC 9110, section 8.4.1). */
const ENCODINGS = [
  { name: "br", ending: ".br" },
  { name: "gzip", ending: ".gz" },
] as const;

/** A file at the address of its content. */
export interface BuiltFile {
  /** Such as `/vault/0123…-worker.js`. */
  address: string;
  content: Uint8Array;
}

/** Compresses files for {@link packedFiles}. */
export async function packFiles(dist: string, files: readonly BuiltFile[]): Promise<void> {
  const pack = async ({ address, content }: BuiltFile) => {
    const file = path.join(dist, FOLDER, address);
    mkdirSync(path.dirname(file), { recursive: true });
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
    writeFileSync(`${file}.br`, await promisify(brotliCompress)(content, { params }));
    writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
  };
  await Promise.all(files.filter(({ address }) => path.extname(address) in TYPES).map(pack));
}

/** The scripts and styles of Next's build, at their addresses. */
export async function nextFiles(dist: string): Promise<BuiltFile[]> {
  const folder = path.join(dist, "static");
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => path.extname(file) in TYPES,
  );
  return Promise.all(
    found.map(async (file) => ({
      address: `/_next/static/${file.split(path.sep).join("/")}`,
      content: await readFile(path.join(folder, file)),
    })),
  );
}

/** Whether a client takes an encoding (RFC 9110, section 12.5.3). */
function takes(request: IncomingMessage, encoding: string): boolean {
  const offers = String(request.headers["accept-encoding"] ?? "").split(",");
  return offers.some((offer) => {
    const [name, ...parameters] = offer
      .toLowerCase()
      .split(";")
      .map((part) => part.trim());
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

/**
 * Responds with a packed file, where the request names one and takes its encoding; false for all else.
 *
 * @param at the request's path
 */
export type ServePacked = (request: IncomingMessage, response: ServerResponse, at: string) => Promise<boolean>;

/** Serves what a build has packed. Only what is in its list is ever read. */
export function packedFiles(dist: string): ServePacked {
  const folder = path.join(dist, FOLDER);
  const listed = new Set(
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `/${file.split(path.sep).join("/")}`),
  );
  return async (request, response, at) => {
    if (request.method !== "GET" && request.method !== "HEAD") return false;
    const encoding = ENCODINGS.find(({ name, ending }) => listed.has(at + ending) && takes(request, name));
    if (!encoding) return false;
    const content = await readFile(path.join(folder, at + encoding.ending));
    response.writeHead(200, {
      "Content-Type": TYPES[path.extname(at)],
      "Content-Encoding": encoding.name,
      "Content-Length": content.length,
      "Cache-Control": "public, max-age=31536000, immutable",
      Vary: "Accept-Encoding",
    });
    response.end(request.method === "HEAD" ? undefined : content);
    return true;
  };
}
