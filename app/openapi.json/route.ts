import { createHash } from "node:crypto";
import { env } from "@/lib/base/env";
import { readDocument } from "@/lib/http/reference/read-document";

/** Returns the OpenAPI document of this service. Editors on other sites can load it (lib/http/security-headers.ts). */
export async function GET(request: Request): Promise<Response> {
  const body = JSON.stringify(await readDocument(process.cwd(), env().origin), null, 2);
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  const headers = { "Cache-Control": "public, max-age=300", ETag: etag, "Content-Type": "application/json" };
  if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
  return new Response(body, { headers });
}
