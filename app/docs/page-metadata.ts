import type { Metadata } from "next";

/** What the head of a page below /docs says: its one address, its Markdown, and what a shared link shows. */
export function pageMetadata(href: string, { title, description }: { title: string; description: string }): Metadata {
  return {
    title,
    description,
    alternates: { canonical: href, types: { "text/markdown": `${href}.md` } },
    openGraph: {
      type: "article",
      siteName: "Halcyon",
      title,
      description,
      url: href,
      images: [{ url: "/og.png", width: 1200, height: 630, alt: title }],
    },
  };
}

/** Of a page that isn't there. */
export const NOT_FOUND: Metadata = { title: "Page not found", robots: { index: false } };
