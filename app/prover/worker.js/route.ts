import { repositoryRoot } from "@/lib/prover/artifact-files";
import { browserWorkerSource } from "@/lib/prover/worker-source";

export const dynamic = "force-dynamic";

let source: Promise<string> | undefined;

/** The script of the browser's prover, made once per process from its source. */
export async function GET(): Promise<Response> {
  source ??= browserWorkerSource(repositoryRoot());
  try {
    const headers = { "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" };
    return new Response(await source, { headers });
  } catch (error) {
    source = undefined;
    throw error;
  }
}
