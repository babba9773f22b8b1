import { serviceStatus } from "@/lib/health/service-status";

export const dynamic = "force-dynamic";

/** The state of each part of the service. Always 200: it is for people and alarms, no load balancer acts on it. */
export async function GET(): Promise<Response> {
  const { ok, parts } = await serviceStatus();
  return Response.json({ status: ok ? "ok" : "degraded", parts }, { headers: { "cache-control": "no-store" } });
}
