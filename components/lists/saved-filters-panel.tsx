"use client";

import { X } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { useVaultOwner } from "@/components/vault/vault-provider";
import type { Filters } from "./filter-field";
import { areSame, forgetFilters, MOST, savedFilters, saveFilters } from "./saved-filters";
import { hrefOf } from "./search-params";

/**
 * Filters that this browser has saved for a list, as links, and a name for those that it is narrowed to now.
 *
 * @param onChoose called when a saved one is chosen
 */
export function SavedFiltersPanel({
  path,
  filters,
  onChoose,
}: {
  path: string;
  filters: Filters;
  onChoose: () => void;
}) {
  const { address } = useVaultOwner();
  const [saved, setSaved] = useState(() => savedFilters(address, path));
  const [isRefused, setIsRefused] = useState(false);
  const section = useRef<HTMLElement>(null);
  const isNarrowed = Object.values(filters).some(Boolean);
  const isSaved = saved.some((one) => areSame(one.filters, filters));
  const save = (name: string) => {
    const stored = saveFilters(address, path, { name, filters });
    const isStored = stored.some((one) => one.name === name);
    setSaved(stored);
    setIsRefused(!isStored);
    // The form goes away: the focus stays in its place.
    if (isStored) section.current?.focus();
  };
  const forget = (name: string) => {
    const left = forgetFilters(address, path, name);
    const isGone = left.length === 0 && !isNarrowed;
    (isGone ? section.current?.closest("details")?.querySelector("summary") : section.current)?.focus();
    setSaved(left);
  };
  if (saved.length === 0 && !isNarrowed) return null;
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label="Saved filters"
      className="grid gap-3 border-line border-t px-4 py-4 sm:flex sm:flex-wrap sm:items-center sm:px-5"
    >
      {saved.length > 0 && (
        <ul className="flex flex-wrap items-center gap-2">
          {saved.map((one) => (
            <li
              key={one.name}
              className="inline-flex h-7 max-w-64 items-center rounded-full border border-line-strong text-xs pointer-coarse:h-11"
            >
              <Link
                href={hrefOf(path, one.filters)}
                scroll={false}
                onClick={onChoose}
                aria-current={areSame(one.filters, filters) ? "true" : undefined}
                title={one.name}
                className="truncate rounded-full py-1 pl-3 hover:text-accent aria-[current]:text-accent"
              >
                {one.name}
              </Link>
              <button
                type="button"
                aria-label={`Forget ${one.name}`}
                onClick={() => forget(one.name)}
                className="grid h-full w-7 shrink-0 place-items-center rounded-full text-muted hover:text-ink pointer-coarse:w-11"
              >
                <X size={12} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {isNarrowed && !isSaved && (
        <form
          className="flex items-center gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            const name = String(new FormData(event.currentTarget).get("name")).trim();
            if (name !== "") save(name);
          }}
        >
          <Input
            name="name"
            required
            maxLength={40}
            aria-label="Name for these filters"
            placeholder="Name these filters"
            autoComplete="off"
            className="sm:w-52"
          />
          <Button type="submit">Save</Button>
        </form>
      )}
      {isRefused ? (
        <p role="alert" className="text-danger text-xs sm:ml-auto">
          Not saved: this browser stores nothing for this site.
        </p>
      ) : (
        <p className="text-muted text-xs sm:ml-auto">
          Saved in this browser only, the newest {MOST}, until you sign out.
        </p>
      )}
    </section>
  );
}
