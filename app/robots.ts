import type { MetadataRoute } from "next";
import { env } from "@/lib/base/env";

export const dynamic = "force-dynamic";

/** Lets search engines index the public pages: the landing page, the documentation, and what describes both. */
export default function robots(): MetadataRoute.Robots {
  return {
    rules: {
      userAgent: "*",
      allow: ["/$", "/docs", "/llms.txt$", "/llms-full.txt$", "/openapi.json$", "/favicon.ico$"],
      disallow: "/",
    },
    sitemap: `${env().origin}/sitemap.xml`,
  };
}
