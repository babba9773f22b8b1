import type { Metadata } from "next";

/**
 * Returns the metadata of a page below /docs: its canonical address, its Markdown version, and its preview when shared.
 */
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

/** The metadata of a page that does not exist. */
export const NOT_FOUND: Metadata = { title: "Page not found", robots: { index: false } };
