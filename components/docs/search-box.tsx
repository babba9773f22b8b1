"use client";

import { Autocomplete } from "@base-ui/react/autocomplete";
import { Search as SearchIcon } from "lucide-react";
import { Fragment, useEffect, useRef, useState } from "react";
import { markedPieces, passageOf } from "@/lib/http/docs/marked-pieces";
import type { FoundPage } from "@/lib/http/docs/search";
import type { SearchEntry } from "@/lib/http/docs/search-options";

type Find = (query: string) => FoundPage[];

async function load(): Promise<Find> {
  const [{ default: MiniSearch }, { SEARCH_OPTIONS }, { searchDocs }, response] = await Promise.all([
    import("minisearch"),
    import("@/lib/http/docs/search-options"),
    import("@/lib/http/docs/search"),
    fetch("/docs/search.json"),
  ]);
  if (!response.ok) throw new Error(`search.json: ${response.status}`);
  const index = MiniSearch.loadJSON<SearchEntry>(await response.text(), SEARCH_OPTIONS);
  return (query) => searchDocs(index, query);
}

/** The search field and its results. Arrows and Enter choose. */
export function SearchBox({ close }: { close: () => void }) {
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
      itemToStringValue={({ title }: FoundPage) => title}
    >
      <div className="docs-search-box">
        <div className="docs-search-field">
          <SearchIcon size={18} aria-hidden className="shrink-0 text-muted" />
          <Autocomplete.Input
            ref={input}
            type="search"
            aria-label="Search the documentation"
            placeholder="Search guides, operations, fields, errors"
            autoComplete="off"
            spellCheck={false}
          />
          <button type="button" onClick={close} className="docs-search-close">
            <kbd>esc</kbd>
            <span className="sr-only">Close search</span>
          </button>
        </div>
        <Autocomplete.List aria-label="Results" className="docs-search-results">
          {(entry: FoundPage) => (
            <Autocomplete.Item
              key={entry.href}
              value={entry}
              render={<a href={entry.href} />}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                event.preventDefault();
                close();
                location.assign(entry.href);
              }}
            >
              <span className="docs-search-title">
                <span>
                  <Highlighted text={entry.title} words={entry.terms} />
                </span>
                <span className="docs-search-section">{entry.section}</span>
              </span>
              <span className="docs-search-excerpt">
                <Highlighted text={passageOf(entry.text, entry.terms)} words={entry.terms} />
              </span>
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
  if (find === "failed") return "Search didn't load. Check your connection and open it again.";
  if (query.trim() === "") return "Type what you want to do, or the name of a field or an error code.";
  if (find === undefined) return "Loading the index";
  if (count === 0) return "No results. Try other words, or the name of a field.";
  return count === 1 ? "1 result" : `${count} results`;
}

/** A text with the search words marked. */
function Highlighted({ text, words }: { text: string; words: string[] }) {
  return markedPieces(text, words).map(({ at, piece, marked }) =>
    marked ? <mark key={at}>{piece}</mark> : <Fragment key={at}>{piece}</Fragment>,
  );
}
