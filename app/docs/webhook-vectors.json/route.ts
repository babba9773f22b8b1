import { readFile } from "node:fs/promises";
import path from "node:path";

/** Returns sample deliveries for testing a receiver's own code (docs/webhooks.md). */
export async function GET(): Promise<Response> {
  const body = await readFile(path.resolve("docs/webhook-vectors.json"), "utf8");
  return new Response(body, {
    headers: { "Cache-Control": "public, max-age=300", "Content-Type": "application/json" },
  });
}
