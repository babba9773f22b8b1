import { isAlive } from "@/lib/health/is-alive";

export const dynamic = "force-dynamic";

/** 200 while this process can work, whatever may be away; 503 when only starting it again helps. */
export async function GET(): Promise<Response> {
  const alive = await isAlive();
  return Response.json(
    { status: alive ? "ok" : "stuck" },
    { status: alive ? 200 : 503, headers: { "cache-control": "no-store" } },
  );
}
