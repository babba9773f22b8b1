import { isAlive } from "@/lib/worker/health/is-alive";

export const dynamic = "force-dynamic";

/** Returns 200 while this process can work, even if what it depends on is down; 503 if only a restart helps. */
export async function GET(): Promise<Response> {
  const alive = await isAlive();
  return Response.json(
    { status: alive ? "ok" : "stuck" },
    { status: alive ? 200 : 503, headers: { "cache-control": "no-store" } },
  );
}
