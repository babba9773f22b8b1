import type { ReactNode } from "react";
import { buttonClass } from "./button";
import { Link } from "./link";

/** The pages before and after of a list, as links: they work without JavaScript and keep the other filters. */
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
  /** The other parameters of the list. */
  query: Record<string, string | undefined>;
  limit: number;
  offset: number;
  hasMore: boolean;
  /** How many entries this page shows. */
  count?: number;
  /** Of the parameter that says how many entries are skipped. */
  name?: string;
  label?: string;
  before?: string;
  after?: string;
  /** Between the two: where in the list this is; by default from the count. */
  children?: ReactNode;
}) {
  if (offset === 0 && !hasMore) return null;
  const href = (to: number) => {
    const search = new URLSearchParams();
    for (const [other, value] of Object.entries(query)) if (value) search.set(other, value);
    if (to > 0) search.set(name, String(to));
    return search.size > 0 ? `${path}?${search}` : path;
  };
  // How long a list is, its last page alone says: to count what no one looks at takes longer than to list it.
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
