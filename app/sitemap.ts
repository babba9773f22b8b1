import type { MetadataRoute } from "next";
import { apiReference } from "@/lib/docs/api-reference";
import { navigation } from "@/lib/docs/navigation";
import { env } from "@/lib/env";

export const dynamic = "force-dynamic";

/** Every page for everybody: the landing page, the guides, the reference, and a page for each error. */
export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  const reference = await apiReference();
  const pages = navigation(reference).flatMap((section) => section.pages.map(({ href }) => href));
  const errors = reference.errors.map(({ code }) => `/docs/errors/${code}`);
  return ["/", "/docs", ...pages, ...errors].map((path) => ({ url: `${env().origin}${path}` }));
}
