import { readiness } from "@/lib/health/readiness";

export const dynamic = "force-dynamic";

/** 200 when requests are to be sent to this process, else 503. What it says of the whole service is at `/status`. */
export async function GET(): Promise<Response> {
  const { ready, parts } = await readiness();
  return Response.json(
    { status: ready ? "ready" : "unavailable", parts },
    { status: ready ? 200 : 503, headers: { "cache-control": "no-store" } },
  );
}
