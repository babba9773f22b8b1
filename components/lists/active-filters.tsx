import { X } from "lucide-react";
import Link from "next/link";

/** A filter in words, and the page without it. */
export interface ActiveFilter {
  words: string;
  href: string;
}

/** What a list is narrowed to; each is a link that takes it away. */
export function ActiveFilters({ filters, clearHref }: { filters: readonly ActiveFilter[]; clearHref: string }) {
  if (filters.length === 0) return null;
  return (
    <ul
      aria-label="Active filters"
      className="flex flex-wrap items-center gap-2 border-line border-t px-4 py-3 sm:px-5"
    >
      {filters.map(({ words, href }) => (
        <li key={words}>
          <Link
            href={href}
            scroll={false}
            className="inline-flex h-7 max-w-64 items-center gap-1.5 rounded-full bg-accent-soft pr-2 pl-3 text-accent text-xs hover:brightness-95 pointer-coarse:h-11"
          >
            <span className="truncate">{words}</span>
            <X size={12} aria-hidden="true" className="shrink-0" />
            <span className="sr-only">, remove</span>
          </Link>
        </li>
      ))}
      <li>
        <Link href={clearHref} scroll={false} className="px-1 text-muted text-xs underline-offset-4 hover:underline">
          Clear all
        </Link>
      </li>
    </ul>
  );
}
