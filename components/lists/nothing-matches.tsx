import { SearchX } from "lucide-react";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";

/**
 * In place of a list that its filters leave empty.
 *
 * @param path the list without filters
 * @param problem what they ask in vain, such as a handle no one has
 */
export function NothingMatches({
  one,
  many,
  path,
  problem = "Take a filter away, or widen the dates. Days are counted in UTC.",
}: {
  /** Such as "transfer" and "transfers". */
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
