import type { APIRequestContext } from "@playwright/test";
import type { GuideBlock } from "./guide-blocks";

const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'" };

/** Returns the samples that a page of the reference shows in one language, from its HTML. */
export async function referenceSamples(request: APIRequestContext, language: string): Promise<string[]> {
  const introduction = await (await request.get("/docs/api")).text();
  const chapters = new Set([...introduction.matchAll(/href="(\/docs\/api\/[a-z-]+)"/g)].map(([, href]) => href ?? ""));
  const pages = await Promise.all([...chapters].map(async (href) => (await request.get(href)).text()));
  // Only chapters: pages without operations are guides, whose samples the guides' own test runs.
  const operations = pages.filter((html) => html.includes("docs-operation-samples"));
  return operations.flatMap((html) =>
    [...html.matchAll(/<figure[^>]*data-alternatives[^>]*>(.*?)<\/figure>/gs)].map(([, figure = ""]) => {
      const pane = new RegExp(`<pre[^>]*data-language="${language}"[^>]*>(.*?)</pre>`, "s").exec(figure)?.[1] ?? "";
      return pane.replace(/<[^>]*>/g, "").replace(/&(?:amp|lt|gt|quot|#x27);/g, (one) => ENTITIES[one] ?? one);
    }),
  );
}

/** Python's library raises an exception for a status of 400 and above. The test needs the response. */
const READ_ERRORS = `import urllib.request
class ReadErrors(urllib.request.HTTPErrorProcessor):
    def http_response(self, request, response):
        return response
urllib.request.install_opener(urllib.request.build_opener(ReadErrors))
`;

/**
 * Returns all samples of a language as one program, which prints a line with the status of each response and then its
 * body. The SDK throws refusals; what it detects by itself, such as an unknown agent, has no status.
 */
export function asOneProgram(samples: string[], language: string): GuideBlock {
  if (language === "bash") {
    const code = samples.map((one) => one.replace("curl ", "curl -sS -w '\\n%{http_code} \\n' ")).join("\n");
    return { language, code };
  }
  if (language === "python") return { language, code: READ_ERRORS + samples.join("\n") };
  const first = samples[0] ?? "";
  const imports = first.split("\n").filter((line) => line.startsWith("import "));
  const blocks = samples.map((one) => {
    const code = one.replace(/^import .*$/gm, "");
    // A sample without a method of the SDK prints its status itself.
    const status = code.includes("console.log(response.status") ? "" : "console.log(200);";
    return `try {\n${code}\n${status}\n} catch (error) {\nconsole.log(error.status ?? (error.code === "not_found" ? 404 : 500), error.code);\n}`;
  });
  return { language, code: [...imports, ...blocks].join("\n") };
}
