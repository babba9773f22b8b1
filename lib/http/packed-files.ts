import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { endInPieces } from "./least-rate";

/*
 * Scripts and styles with content-addressed paths are compressed once at build time. Brotli at its highest level takes
 * a second per megabyte and saves a tenth compared to gzip, which is too slow to do for every request.
 */

/** The folder in a build's `distDir` with the packed files, each at its address plus an ending for the encoding. */
const FOLDER = "packed";

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

/** Encodings, best first, with the endings of their files (RFC 9110, section 8.4.1). */
const ENCODINGS = [
  { name: "br", ending: ".br" },
  { name: "gzip", ending: ".gz" },
] as const;

/** A file whose address contains its content hash. */
interface BuiltFile {
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

/** Returns the scripts and styles of Next.js's build, with their addresses. */
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

/** Reports whether a client accepts an encoding (RFC 9110, section 12.5.3). */
export function takes(request: IncomingMessage, encoding: string): boolean {
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
 * Responds with a packed file, if the request is for one and accepts its encoding. Returns false otherwise.
 *
 * @param at the request's path
 */
type ServePacked = (request: IncomingMessage, response: ServerResponse, at: string) => Promise<boolean>;

/** Returns a function that serves the packed files of a build. It only ever reads files that were listed at start. */
export function packedFiles(dist: string): ServePacked {
  const folder = path.join(dist, FOLDER);
  const listed = new Set(
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `/${file.split(path.sep).join("/")}`),
  );
  // One buffer for all who read it, however slowly.
  const contents = new Map<string, Promise<Buffer>>();
  const contentOf = (file: string): Promise<Buffer> => {
    const known = contents.get(file) ?? readFile(path.join(folder, file));
    contents.set(file, known);
    known.catch(() => contents.delete(file));
    return known;
  };
  return async (request, response, at) => {
    if (request.method !== "GET" && request.method !== "HEAD") return false;
    const encoding = ENCODINGS.find(({ name, ending }) => listed.has(at + ending) && takes(request, name));
    if (!encoding) return false;
    const content = await contentOf(at + encoding.ending);
    response.writeHead(200, {
      "Content-Type": TYPES[path.extname(at)],
      "Content-Encoding": encoding.name,
      "Content-Length": content.length,
      "Cache-Control": "public, max-age=31536000, immutable",
      Vary: "Accept-Encoding",
    });
    if (request.method === "HEAD") response.end();
    else endInPieces(response, content);
    return true;
  };
}
