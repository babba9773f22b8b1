import type { MetadataRoute } from "next";
import { env } from "@/lib/env";

export const dynamic = "force-dynamic";

/** Search engines get what is for everybody: the landing page and the documentation. */
export default function robots(): MetadataRoute.Robots {
  return {
    rules: { userAgent: "*", allow: ["/$", "/docs"], disallow: "/" },
    sitemap: `${env().origin}/sitemap.xml`,
  };
}
