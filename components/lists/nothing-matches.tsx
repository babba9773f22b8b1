import { SearchX } from "lucide-react";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";

/**
 * Shown in place of a list without matches.
 *
 * @param path the list without filters
 * @param problem why the filters are invalid, such as an unknown handle
 */
export function NothingMatches({
  one,
  many,
  path,
  problem = "Remove a filter, or widen the dates.",
}: {
  /** Singular and plural, such as "transfer" and "transfers". */
  one: string;
  many: string;
  path: string;
  problem?: string;
}) {
  return (
    <EmptyState
      icon={<SearchX size={20} />}
      title={`No ${one} matches these filters`}
      action={
        <Link href={path} scroll={false} className={buttonClass()}>
          Show all {many}
        </Link>
      }
    >
      {problem}
    </EmptyState>
  );
}
