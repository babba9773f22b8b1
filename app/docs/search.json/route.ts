import { createHash } from "node:crypto";
import { searchIndex } from "@/lib/docs/search-index";

/** The index of the documentation's search: public text, the same for everybody. */
export async function GET(request: Request): Promise<Response> {
  const body = await searchIndex();
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  const headers = { "Cache-Control": "public, max-age=300", ETag: etag, "Content-Type": "application/json" };
  if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
  return new Response(body, { headers });
}
