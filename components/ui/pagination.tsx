import { buttonClass } from "./button";
import { Link } from "./link";

/** Newer and older pages of a list, as links: they work without JavaScript and keep the other filters. */
export function Pagination({
  path,
  query,
  limit,
  offset,
  hasMore,
}: {
  path: string;
  /** The other parameters of the list. */
  query: Record<string, string | undefined>;
  limit: number;
  offset: number;
  hasMore: boolean;
}) {
  if (offset === 0 && !hasMore) return null;
  const href = (to: number) => {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value) search.set(name, value);
    if (to > 0) search.set("offset", String(to));
    return `${path}?${search}`;
  };
  return (
    <nav aria-label="Pages" className="flex justify-between gap-2 border-line border-t px-5 py-3">
      {offset > 0 ? (
        <Link rel="prev" href={href(Math.max(0, offset - limit))} className={buttonClass("secondary", "small")}>
          Newer
        </Link>
      ) : (
        <span />
      )}
      {hasMore && (
        <Link rel="next" href={href(offset + limit)} className={buttonClass("secondary", "small")}>
          Older
        </Link>
      )}
    </nav>
  );
}
