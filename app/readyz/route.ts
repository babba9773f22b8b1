import { readiness } from "@/lib/worker/health/readiness";

export const dynamic = "force-dynamic";

/**
 * Returns 200 if requests may be sent to this process, otherwise 503. The state of the whole service is at `/status`.
 */
export async function GET(): Promise<Response> {
  const { ready, parts } = await readiness();
  return Response.json(
    { status: ready ? "ready" : "unavailable", parts },
    { status: ready ? 200 : 503, headers: { "cache-control": "no-store" } },
  );
}
