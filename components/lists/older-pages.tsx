import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { hrefOf } from "./search-params";

/** Links to the older entries of a list whose pages start after an entry, and back to the newest. */
export function OlderPages({
  path,
  filters,
  isNewest,
  last,
}: {
  path: string;
  /** The list's other query parameters. */
  filters: Record<string, string | undefined>;
  /** Whether this is the first page. */
  isNewest: boolean;
  /** Id of this page's last entry if older ones follow. */
  last: string | undefined;
}) {
  if (isNewest && last === undefined) return null;
  return (
    <nav aria-label="Pages" className="flex items-center justify-between gap-2 border-line border-t px-4 py-3 sm:px-5">
      {isNewest ? (
        <span />
      ) : (
        <Link href={hrefOf(path, filters)} className={buttonClass("secondary", "small")}>
          Newest
        </Link>
      )}
      {last !== undefined && (
        <Link
          rel="next"
          href={hrefOf(path, { ...filters, starting_after: last })}
          className={buttonClass("secondary", "small")}
        >
          Older
        </Link>
      )}
    </nav>
  );
}
