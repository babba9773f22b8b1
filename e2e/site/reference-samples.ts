import type { APIRequestContext } from "@playwright/test";
import type { GuideBlock } from "./guide-blocks";

const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'" };

/** What a page of the reference shows to copy, in one language, as its HTML has it. */
export async function referenceSamples(request: APIRequestContext, language: string): Promise<string[]> {
  const introduction = await (await request.get("/docs/api")).text();
  const chapters = new Set([...introduction.matchAll(/href="(\/docs\/api\/[a-z-]+)"/g)].map(([, href]) => href ?? ""));
  const pages = await Promise.all([...chapters].map(async (href) => (await request.get(href)).text()));
  return pages.flatMap((html) =>
    [...html.matchAll(/<figure[^>]*data-alternatives[^>]*>(.*?)<\/figure>/gs)].map(([, figure = ""]) => {
      const pane = new RegExp(`<pre[^>]*data-language="${language}"[^>]*>(.*?)</pre>`, "s").exec(figure)?.[1] ?? "";
      return pane.replace(/<[^>]*>/g, "").replace(/&(?:amp|lt|gt|quot|#x27);/g, (one) => ENTITIES[one] ?? one);
    }),
  );
}

/** Python's library takes an answer of 400 and more for an exception; a test reads it. */
const READ_ERRORS = `import urllib.request
class ReadErrors(urllib.request.HTTPErrorProcessor):
    def http_response(self, request, response):
        return response
urllib.request.install_opener(urllib.request.build_opener(ReadErrors))
`;

/** All samples of a language as one program that prints a line with the status of each answer, then its body. */
export function asOneProgram(samples: string[], language: string): GuideBlock {
  if (language === "bash") {
    const code = samples.map((one) => one.replace("curl ", "curl -sS -w '\\n%{http_code} \\n' ")).join("\n");
    return { language, code };
  }
  if (language === "python") return { language, code: READ_ERRORS + samples.join("\n") };
  return { language, code: samples.map((one) => `{\n${one}\n}`).join("\n") };
}
