import { readiness } from "@/lib/health/readiness";

export const dynamic = "force-dynamic";

/** 200 when everything the service needs is there, else 503; the state of each part either way. */
export async function GET(): Promise<Response> {
  const { ready, parts } = await readiness();
  return Response.json(
    { status: ready ? "ready" : "unavailable", parts },
    { status: ready ? 200 : 503, headers: { "cache-control": "no-store" } },
  );
}
