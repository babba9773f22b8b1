import { artifactFiles, repositoryRoot } from "@/lib/prover/artifact-files";
import { CIRCUIT_FILES, contentHash } from "@/lib/prover/worker-source";

export const dynamic = "force-dynamic";

const FILES = new Set(CIRCUIT_FILES);

/** The hash of each file that was read, so that a wrong one is refused without reading it again. */
const hashes = new Map<string, string>();

function typeOf(file: string): string {
  return file.endsWith(".json") ? "application/json" : "application/octet-stream";
}

/**
 * Serves circuits and proving and verification keys to provers in browsers. They are public. A name with the content's
 * hash (`<hash>-transfer.zkey`) is cached for good, a plain name is revalidated. Keys of other releases are not served:
 * their proofs are invalid for the current contracts.
 */
export async function GET(request: Request, { params }: { params: Promise<{ file: string }> }): Promise<Response> {
  const [, wanted, file = ""] = /^(?:([0-9a-f]{32})-)?(.+)$/.exec((await params).file) ?? [];
  if (!FILES.has(file)) return new Response("Not found", { status: 404 });
  // In development, circuits change while the process runs.
  const known = process.env.NODE_ENV === "development" ? undefined : hashes.get(file);
  if (wanted !== undefined && known !== undefined && wanted !== known)
    return new Response("Not found", { status: 404 });
  const bytes = await artifactFiles(repositoryRoot()).read(file);
  const hash = known ?? contentHash(bytes);
  hashes.set(file, hash);
  if (wanted !== undefined && wanted !== hash) return new Response("Not found", { status: 404 });
  const etag = `"${hash}"`;
  const caching = wanted === undefined ? "no-cache" : "public, max-age=31536000, immutable";
  const headers = { etag, "cache-control": caching, "content-type": typeOf(file) };
  if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
  return new Response(new Uint8Array(bytes), { headers });
}
