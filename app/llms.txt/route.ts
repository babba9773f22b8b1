import { env } from "@/lib/base/env";
import { listOfPages } from "@/lib/http/docs/page-markdown";
import { textResponse } from "@/lib/http/docs/text-response";

/** Returns the index of the documentation for language models: every page, as Markdown. */
export async function GET(request: Request): Promise<Response> {
  const known = request.headers.get("if-none-match");
  return textResponse(await listOfPages(env().origin), { contentType: "text/plain; charset=utf-8", known });
}
