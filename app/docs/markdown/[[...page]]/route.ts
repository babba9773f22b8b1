import { env } from "@/lib/base/env";
import { pageMarkdown } from "@/lib/http/docs/page-markdown";
import { textResponse } from "@/lib/http/docs/text-response";

const CONTENT_TYPE = "text/markdown; charset=utf-8";

/** Returns a page of the documentation as Markdown. next.config.ts rewrites `/docs/<page>.md` to this route. */
export async function GET(request: Request, { params }: { params: Promise<{ page?: string[] }> }): Promise<Response> {
  const href = ["/docs", ...((await params).page ?? [])].join("/");
  const { origin } = env();
  const body = await pageMarkdown(href, origin);
  if (body === undefined) {
    const list = "# Page not found\n\nAll pages: [/llms.txt](/llms.txt)\n";
    return new Response(list, { status: 404, headers: { "Content-Type": CONTENT_TYPE } });
  }
  const headers = { Link: `<${origin}${href}>; rel="canonical"` };
  return textResponse(body, { contentType: CONTENT_TYPE, known: request.headers.get("if-none-match"), headers });
}
