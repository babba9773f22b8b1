import type { ReactNode } from "react";
import { buttonClass } from "./button";
import { classNames } from "./class-names";
import { Count } from "./count";
import { Link } from "./link";

/** How many entries a list has; `more` if counting stopped there. */
export interface ListTotal {
  count: number;
  more: boolean;
}

/**
 * Links to the previous and next page of a list, and with a total to its first and last. They work without JavaScript
 * and keep the filters.
 */
export function Pagination({
  path,
  query,
  limit,
  offset,
  hasMore,
  count,
  total,
  sizes,
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
  total?: ListTotal;
  /** The numbers of entries that a page may show, of which the query's `rows` is one; the first is the default. */
  sizes?: readonly number[];
  /** The query parameter for the number of entries to skip. */
  name?: string;
  label?: string;
  before?: string;
  after?: string;
  /** Shown between the links; by default the position, from `count`. */
  children?: ReactNode;
}) {
  const [least = 0] = sizes ?? [];
  if (offset === 0 && !hasMore && (total?.count ?? 0) <= least) return null;
  const href = (to: number, other: Record<string, string | undefined> = query) => {
    const search = new URLSearchParams();
    for (const [each, value] of Object.entries(other)) if (value) search.set(each, value);
    if (to > 0) search.set(name, String(to));
    return search.size > 0 ? `${path}?${search}` : path;
  };
  const end = offset + (count ?? 0);
  // Without a total, it is known only on the last page.
  const all = hasMore ? total : { count: end, more: false };
  const last = total ? Math.max(0, Math.ceil(total.count / limit) - 1) * limit : 0;
  return (
    <nav
      aria-label={label}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-t px-5 py-3"
    >
      <div className="flex gap-2">
        {total && offset > limit && (
          <Link href={href(0)} className={buttonClass("ghost", "small")}>
            Newest
          </Link>
        )}
        {offset > 0 && (
          <Link rel="prev" href={href(Math.max(0, offset - limit))} className={buttonClass("secondary", "small")}>
            {before}
          </Link>
        )}
      </div>
      {children ??
        (count !== undefined && (
          <p className="text-muted text-xs tabular-nums">
            <Count value={offset + 1} />–<Count value={end} />
            {all && (
              <>
                {" of "}
                <Count value={all.count} />
                {all.more && "+"}
              </>
            )}
            {sizes && (
              <span className="ml-3 max-sm:hidden">
                {sizes.map((size) => (
                  <Link
                    key={size}
                    href={href(0, { ...query, rows: size === least ? undefined : String(size) })}
                    aria-label={`${size} on a page`}
                    aria-current={size === limit ? "true" : undefined}
                    className={classNames(
                      "rounded px-1.5 py-1",
                      size === limit ? "bg-sunken font-medium text-ink" : "hover:text-ink",
                    )}
                  >
                    {size}
                  </Link>
                ))}{" "}
                on a page
              </span>
            )}
          </p>
        ))}
      <div className="flex gap-2">
        {hasMore && (
          <Link rel="next" href={href(offset + limit)} className={buttonClass("secondary", "small")}>
            {after}
          </Link>
        )}
        {hasMore && last > offset + limit && (
          <Link href={href(last)} className={buttonClass("ghost", "small")}>
            {total?.more ? (
              <>
                To <Count value={total.count} />
              </>
            ) : (
              "Oldest"
            )}
          </Link>
        )}
      </div>
    </nav>
  );
}
