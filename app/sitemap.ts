import type { MetadataRoute } from "next";
import { env } from "@/lib/base/env";
import { docsPages } from "@/lib/http/docs/docs-pages";

export const dynamic = "force-dynamic";

/** Lists every public page: the landing page, the guides, the reference, a page per error, and their Markdown. */
export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  const docs = await docsPages();
  return ["/", ...docs, ...docs.map((path) => `${path}.md`)].map((path) => ({ url: `${env().origin}${path}` }));
}
