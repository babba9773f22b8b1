import type { MetadataRoute } from "next";
import { apiReference } from "@/lib/docs/api-reference";
import { navigation } from "@/lib/docs/navigation";
import { env } from "@/lib/env";

export const dynamic = "force-dynamic";

/** Lists every public page: the landing page, the guides, the reference, a page per error, and their Markdown. */
export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  const reference = await apiReference();
  const pages = navigation(reference).flatMap((section) => section.pages.map(({ href }) => href));
  const errors = reference.errors.map(({ code }) => `/docs/errors/${code}`);
  const docs = ["/docs", ...pages, ...errors];
  return ["/", ...docs, ...docs.map((path) => `${path}.md`)].map((path) => ({ url: `${env().origin}${path}` }));
}
