import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { repositoryRoot } from "@/lib/prover/artifact-files";

export const dynamic = "force-dynamic";

/** Returns the licenses of what the service and its browser scripts contain. The scripts link here. */
export async function GET(): Promise<Response> {
  const text = await readFile(join(repositoryRoot(), "THIRD_PARTY_NOTICES"), "utf8");
  return new Response(text, {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=3600" },
  });
}
