import { createHash } from "node:crypto";
import { CIRCUITS } from "@/lib/ledger/prepare/witness";
import { artifactFiles, repositoryRoot } from "@/lib/prover/artifact-files";

export const dynamic = "force-dynamic";

const FILES = new Set(CIRCUITS.flatMap((name) => [`${name}.witness`, `${name}.zkey`, `${name}.vkey.json`]));

function typeOf(file: string): string {
  return file.endsWith(".json") ? "application/json" : "application/octet-stream";
}

/** Circuits, proving and verification keys for provers in browsers: public files, revalidated by their hash. */
export async function GET(request: Request, { params }: { params: Promise<{ file: string }> }): Promise<Response> {
  const { file } = await params;
  if (!FILES.has(file)) return new Response("Not found", { status: 404 });
  const bytes = await artifactFiles(repositoryRoot()).read(file);
  const etag = `"${createHash("sha256").update(bytes).digest("base64url")}"`;
  const headers = { etag, "cache-control": "no-cache", "content-type": typeOf(file) };
  if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
  return new Response(new Uint8Array(bytes), { headers });
}
