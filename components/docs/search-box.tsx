"use client";

import { Autocomplete } from "@base-ui/react/autocomplete";
import { Search as SearchIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import type { SearchEntry } from "@/lib/docs/search-options";

type Found = Pick<SearchEntry, "href" | "title" | "section" | "excerpt">;
type Find = (query: string) => Found[];

const SHOWN = 12;

async function load(): Promise<Find> {
  const [{ default: MiniSearch }, { SEARCH_OPTIONS }, answer] = await Promise.all([
    import("minisearch"),
    import("@/lib/docs/search-options"),
    fetch("/docs/search.json"),
  ]);
  if (!answer.ok) throw new Error(`search.json: ${answer.status}`);
  const index = MiniSearch.loadJSON<SearchEntry>(await answer.text(), SEARCH_OPTIONS);
  return (query) => index.search(query).slice(0, SHOWN) as unknown as Found[];
}

/** What is typed, and what is found of it; arrows and Enter choose. */
export function SearchBox({ close }: { close: () => void }) {
  const router = useRouter();
  const input = useRef<HTMLInputElement>(null);
  const [find, setFind] = useState<Find | "failed">();
  const [query, setQuery] = useState("");
  useEffect(() => {
    input.current?.focus();
    load().then(
      (ready) => setFind(() => ready),
      () => setFind("failed"),
    );
  }, []);
  const found = typeof find === "function" && query.trim() !== "" ? find(query) : [];
  return (
    <Autocomplete.Root
      open
      inline
      items={found}
      mode="none"
      value={query}
      onValueChange={(value, { reason }) => reason !== "item-press" && setQuery(value)}
      autoHighlight="always"
      itemToStringValue={({ title }: Found) => title}
    >
      <div className="docs-search-box">
        <div className="docs-search-field">
          <SearchIcon size={18} aria-hidden className="shrink-0 text-muted" />
          <Autocomplete.Input
            ref={input}
            type="search"
            aria-label="Search the documentation"
            placeholder="Guides, operations, fields, errors"
            autoComplete="off"
            spellCheck={false}
          />
          <button type="button" onClick={close} className="docs-search-close">
            <kbd>esc</kbd>
            <span className="sr-only">Close search</span>
          </button>
        </div>
        <Autocomplete.List aria-label="Results" className="docs-search-results">
          {(entry: Found) => (
            <Autocomplete.Item
              key={entry.href}
              value={entry}
              render={<a href={entry.href} />}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                event.preventDefault();
                close();
                router.push(entry.href);
              }}
            >
              <span className="docs-search-title">
                {entry.title}
                <span>{entry.section}</span>
              </span>
              <span className="docs-search-excerpt">{entry.excerpt}</span>
            </Autocomplete.Item>
          )}
        </Autocomplete.List>
        <p role="status" className={found.length > 0 ? "sr-only" : "docs-search-status"}>
          {statusOf(find, query, found.length)}
        </p>
      </div>
    </Autocomplete.Root>
  );
}

function statusOf(find: Find | "failed" | undefined, query: string, count: number): string {
  if (find === "failed") return "Search could not be loaded. Check the connection and open it again.";
  if (query.trim() === "") return "Type what you are looking for: a word of a guide, a field, an error code.";
  if (find === undefined) return "Loading the index";
  if (count === 0) return "Nothing found. Try a shorter word, or the name of a field.";
  return count === 1 ? "1 result" : `${count} results`;
}
