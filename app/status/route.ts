import { serviceStatus } from "@/lib/worker/health/service-status";

export const dynamic = "force-dynamic";

/** Returns the state of each part of the service. Always 200: for people and alerts, not for load balancers. */
export async function GET(): Promise<Response> {
  const { ok, parts } = await serviceStatus();
  return Response.json({ status: ok ? "ok" : "degraded", parts }, { headers: { "cache-control": "no-store" } });
}
