import type { ReactNode } from "react";
import { buttonClass } from "./button";
import { Link } from "./link";

/** Links to the previous and next page of a list. They work without JavaScript and keep the filters. */
export function Pagination({
  path,
  query,
  limit,
  offset,
  hasMore,
  count,
  name = "offset",
  label = "Pages",
  before = "Newer",
  after = "Older",
  children,
}: {
  path: string;
  /** The list's other query parameters. */
  query: Record<string, string | undefined>;
  limit: number;
  offset: number;
  hasMore: boolean;
  /** How many entries this page shows. */
  count?: number;
  /** The query parameter for the number of entries to skip. */
  name?: string;
  label?: string;
  before?: string;
  after?: string;
  /** Shown between the links; by default the position, from `count`. */
  children?: ReactNode;
}) {
  if (offset === 0 && !hasMore) return null;
  const href = (to: number) => {
    const search = new URLSearchParams();
    for (const [other, value] of Object.entries(query)) if (value) search.set(other, value);
    if (to > 0) search.set(name, String(to));
    return search.size > 0 ? `${path}?${search}` : path;
  };
  // The total is known only on the last page, since counting would take longer than listing.
  const placeOf = () => `${offset + 1}–${offset + (count ?? 0)}${hasMore ? "" : ` of ${offset + (count ?? 0)}`}`;
  return (
    <nav aria-label={label} className="flex items-center justify-between gap-2 border-line border-t px-5 py-3">
      {offset > 0 ? (
        <Link rel="prev" href={href(Math.max(0, offset - limit))} className={buttonClass("secondary", "small")}>
          {before}
        </Link>
      ) : (
        <span />
      )}
      {children ?? (count !== undefined && <span className="text-muted text-xs tabular-nums">{placeOf()}</span>)}
      {hasMore ? (
        <Link rel="next" href={href(offset + limit)} className={buttonClass("secondary", "small")}>
          {after}
        </Link>
      ) : (
        <span />
      )}
    </nav>
  );
}
