import { X } from "lucide-react";
import type { ReactNode } from "react";
import type { Choice } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { LinkTabs } from "@/components/ui/link-tabs";
import { type FilterField, type Filters, filterInWords } from "./filter-field";
import { FilterForm } from "./filter-form";
import { OtherTimeZoneNotice } from "./other-time-zone-notice";
import { hrefOf } from "./search-params";

/** A filter shown as tabs instead of a field. */
export interface FilterTabs {
  name: string;
  label: string;
  every: string;
  choices: readonly Choice[];
}

/** The active filters. Each is a link that removes it. */
function ActiveFilters({ path, fields, filters }: { path: string; fields: readonly FilterField[]; filters: Filters }) {
  const active = fields.filter(({ name }) => filters[name]);
  if (active.length === 0) return null;
  const without = (names: readonly FilterField[]) =>
    hrefOf(path, { ...filters, ...Object.fromEntries(names.map(({ name }) => [name, undefined])) });
  return (
    <ul
      aria-label="Active filters"
      className="flex flex-wrap items-center gap-2 border-line border-t px-4 py-3 sm:px-5"
    >
      {active.map((field) => (
        <li key={field.name}>
          <Link
            href={without([field])}
            scroll={false}
            title={filterInWords(field, filters)}
            className="inline-flex h-7 max-w-64 items-center gap-1.5 rounded-full bg-accent-soft pr-2 pl-3 text-accent text-xs hover:brightness-95 pointer-coarse:h-11"
          >
            <span className="truncate">{filterInWords(field, filters)}</span>
            <X size={12} aria-hidden="true" className="shrink-0" />
            <span className="sr-only">, remove</span>
          </Link>
        </li>
      ))}
      <li>
        <Link
          href={without(fields)}
          scroll={false}
          className="px-1 text-muted text-xs underline-offset-4 hover:underline"
        >
          Clear all
        </Link>
      </li>
    </ul>
  );
}

/** The head of a list: its tabs or name, the filter form, and the active filters. */
export function FilterBar({
  path,
  fields,
  filters,
  tabs,
  children,
  problem,
}: {
  path: string;
  fields: readonly FilterField[];
  filters: Filters;
  tabs?: FilterTabs;
  /** Shown instead of tabs. */
  children?: ReactNode;
  /** Why the filters are invalid. Opens the form. */
  problem?: string;
}) {
  const links = (tabs ? [{ value: undefined, name: tabs.every }, ...tabs.choices] : []).map(({ value, name }) => ({
    name,
    href: hrefOf(path, { ...filters, [tabs?.name ?? ""]: value }),
    current: filters[tabs?.name ?? ""] === value,
  }));
  return (
    <div className="relative">
      {tabs ? (
        <div className="px-3 py-2.5 sm:px-4 sm:pr-28">
          <LinkTabs label={tabs.label} tabs={links} />
        </div>
      ) : (
        children
      )}
      {fields.length > 0 && (
        <FilterForm path={path} fields={fields} filters={filters} problem={problem} open={problem !== undefined} />
      )}
      <ActiveFilters path={path} fields={fields} filters={filters} />
      <OtherTimeZoneNotice filters={filters} />
    </div>
  );
}
