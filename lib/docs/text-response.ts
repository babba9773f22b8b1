import { createHash } from "node:crypto";

interface Options {
  contentType: string;
  /** `If-None-Match` of the request. */
  known: string | null;
  headers?: Record<string, string>;
}

/** A public text of the documentation, the same for everyone: 304 for a client that has it already. */
export function textResponse(body: string, { contentType, known, headers: more }: Options): Response {
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  const headers = { "Cache-Control": "public, max-age=300", ETag: etag, "Content-Type": contentType, ...more };
  return known === etag ? new Response(null, { status: 304, headers }) : new Response(body, { headers });
}
