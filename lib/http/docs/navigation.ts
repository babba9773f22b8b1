import type { ApiReference } from "@/lib/http/reference/read-reference";
import { CHANGELOG, GUIDE_SECTIONS, type Guide, REFERENCE_GUIDES } from "./guides";
import { operationHref, slugOf } from "./slug";

/** A page of /docs as navigation shows it. */
export interface NavPage {
  href: string;
  title: string;
  description: string;
  /** The operations, if the page is a chapter of the reference. */
  operations?: { href: string; title: string; method: string }[];
}

export interface NavSection {
  title: string;
  pages: NavPage[];
}

/**
 * Returns every page below /docs in reading order: guides, what applies to the whole API, then the reference by
 * chapter.
 */
export function navigation(reference: ApiReference): NavSection[] {
  return [
    ...GUIDE_SECTIONS.map(({ title, guides }) => ({ title, pages: guides.map(pageOf) })),
    { title: "API reference", pages: referencePages(reference) },
  ];
}

function pageOf({ slug, title, description }: Guide): NavPage {
  return { href: `/docs/${slug}`, title, description };
}

/** Returns the pages before and after a page, in reading order. */
export function neighbours(sections: NavSection[], href: string): { previous?: NavPage; next?: NavPage } {
  const pages = sections.flatMap((section) => section.pages);
  const at = pages.findIndex((page) => page.href === href);
  if (at < 0) return {};
  return { previous: pages[at - 1], next: pages[at + 1] };
}

function referencePages({ chapters }: ApiReference): NavPage[] {
  return [
    ...REFERENCE_GUIDES.map(pageOf),
    { href: "/docs/errors", title: "Errors", description: "Every code, what it means and what to do." },
    pageOf(CHANGELOG),
    ...chapters.map(({ name, description, operations }): NavPage => {
      const href = `/docs/api/${slugOf(name)}`;
      return {
        href,
        title: name,
        description,
        operations: operations.map(({ id, summary, method }) => ({
          href: operationHref(name, id),
          title: summary,
          method,
        })),
      };
    }),
    {
      href: "/docs/api/event-types",
      title: "Event types",
      description: "What events and webhooks carry, type by type.",
    },
  ];
}
