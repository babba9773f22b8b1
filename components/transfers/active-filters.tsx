import { X } from "lucide-react";
import Link from "next/link";
import type { Choice } from "./filter-form";
import { FILTER_NAMES, type FilterName, listHref, type TransferFilters } from "./filters";

/** A filter in words. */
function worded(name: FilterName, value: string, agents: readonly Choice[], keys: readonly Choice[]): string {
  const named = (choices: readonly Choice[]) => choices.find((choice) => choice.value === value)?.name ?? value;
  switch (name) {
    case "agent":
      return `Agent: ${named(agents)}`;
    case "key":
      return `Key: ${named(keys)}`;
    case "counterparty":
      return `With ${value}`;
    case "direction":
      return value === "sent" ? "Sent" : "Received";
    case "from":
      return `From ${value}`;
    case "to":
      return `To ${value}`;
    default:
      return value;
  }
}

/** What the list is narrowed to; each is a link that takes it away. */
export function ActiveFilters({
  path,
  filters,
  agents,
  keys,
}: {
  path: string;
  filters: TransferFilters;
  agents: readonly Choice[];
  keys: readonly Choice[];
}) {
  const { status, ...narrowed } = filters;
  const names = FILTER_NAMES.filter((name) => name !== "status" && filters[name]);
  if (names.length === 0) return null;
  return (
    <ul
      aria-label="Active filters"
      className="flex flex-wrap items-center gap-2 border-line border-t px-4 py-3 sm:px-5"
    >
      {names.map((name) => {
        const words = worded(name, narrowed[name as keyof typeof narrowed] ?? "", agents, keys);
        return (
          <li key={name}>
            <Link
              href={listHref(path, { ...filters, [name]: undefined })}
              className="inline-flex h-7 max-w-64 items-center gap-1.5 rounded-full bg-accent-soft pr-2 pl-3 text-accent text-xs hover:brightness-95 pointer-coarse:h-11"
            >
              <span className="truncate">{words}</span>
              <X size={12} aria-hidden="true" className="shrink-0" />
              <span className="sr-only">, remove</span>
            </Link>
          </li>
        );
      })}
      <li>
        <Link href={listHref(path, { status })} className="px-1 text-muted text-xs underline-offset-4 hover:underline">
          Clear all
        </Link>
      </li>
    </ul>
  );
}
