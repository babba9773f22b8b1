import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { FilterBar } from "./filter-bar";
import type { FilterField } from "./filter-field";
import { NothingMatches } from "./nothing-matches";

/** A list, newest first, with its filters above. Without entries, what to say of none at all or of none that matches. */
export function FilteredList({
  path,
  fields,
  filters,
  problem,
  one,
  many,
  none,
  further,
  empty,
  children,
}: {
  path: string;
  fields: readonly FilterField[];
  filters: Record<string, string | undefined>;
  /** Why a filter is invalid. */
  problem?: string | undefined;
  /** Singular and plural of its entries. */
  one: string;
  many: string;
  /** Whether it has no entries. */
  none: boolean;
  /** Whether this is another page than the first. */
  further: boolean;
  /** Shown if there is nothing without filters. */
  empty: ReactNode;
  children: ReactNode;
}) {
  const filtered = Object.keys(filters).length > 0 || further;
  return (
    <Card flush>
      {(!none || filtered) && (
        <div className="-mt-4">
          <FilterBar path={path} fields={fields} filters={filters} problem={problem}>
            <div className="flex h-13 items-center px-4 font-medium text-[15px] max-sm:hidden sm:px-5">
              <h2>Newest first</h2>
            </div>
          </FilterBar>
        </div>
      )}
      {none ? (
        <div className={filtered ? "border-line border-t" : "-mt-4"}>
          {filtered ? <NothingMatches one={one} many={many} path={path} /> : empty}
        </div>
      ) : (
        children
      )}
    </Card>
  );
}
