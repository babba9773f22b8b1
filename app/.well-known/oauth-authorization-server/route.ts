import { serverMetadata } from "@/lib/http/connections/metadata";

export const dynamic = "force-dynamic";

/** Returns the authorization server metadata (RFC 8414). */
export function GET(): Response {
  return Response.json(serverMetadata(), { headers: { "cache-control": "no-store" } });
}
