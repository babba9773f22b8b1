import { createHash } from "node:crypto";

interface Options {
  contentType: string;
  /** The `If-None-Match` header of the request. */
  known: string | null;
  headers?: Record<string, string>;
}

/** Returns a response with public text that is the same for everyone; 304 if the client has it already. */
export function textResponse(body: string, { contentType, known, headers: more }: Options): Response {
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  const headers = { "Cache-Control": "public, max-age=300", ETag: etag, "Content-Type": contentType, ...more };
  return known === etag ? new Response(null, { status: 304, headers }) : new Response(body, { headers });
}
