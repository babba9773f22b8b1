import { allGuides } from "@/lib/http/docs/page-markdown";
import { textResponse } from "@/lib/http/docs/text-response";

/** Returns every guide in one file, for language models. */
export async function GET(request: Request): Promise<Response> {
  const known = request.headers.get("if-none-match");
  return textResponse(await allGuides(), { contentType: "text/plain; charset=utf-8", known });
}
