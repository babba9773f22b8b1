"use client";

import { Search as SearchIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { type KeyboardEvent as ReactKeyboardEvent, useCallback, useEffect, useId, useRef, useState } from "react";
import type { SearchEntry } from "@/lib/docs/search-options";

type Found = Pick<SearchEntry, "href" | "title" | "section" | "excerpt">;
type Find = (query: string) => Found[];

const SHOWN = 12;

/** The index and the code that reads it come when search is opened for the first time. */
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

/** Search over all of the documentation: a button, the key `/`, and a dialog. */
export function DocsSearch() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [open, setOpen] = useState(false);
  const show = useCallback(() => {
    setOpen(true);
    dialog.current?.showModal();
  }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const typing =
        event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]");
      const asks = (event.key === "/" && !typing) || (event.key === "k" && (event.metaKey || event.ctrlKey));
      if (!asks || dialog.current?.open) return;
      event.preventDefault();
      show();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [show]);
  return (
    <>
      <button type="button" className="docs-search-open" onClick={show} aria-label="Search the documentation">
        <SearchIcon size={16} aria-hidden />
        <span className="max-md:hidden">Search</span>
        <kbd className="max-md:hidden">/</kbd>
      </button>
      <dialog
        ref={dialog}
        className="docs-search"
        aria-label="Search the documentation"
        onClose={() => setOpen(false)}
        onPointerDown={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
      >
        {open && <SearchBox close={() => dialog.current?.close()} />}
      </dialog>
    </>
  );
}

function SearchBox({ close }: { close: () => void }) {
  const router = useRouter();
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const [find, setFind] = useState<Find | "failed">();
  const [query, setQuery] = useState("");
  const [chosen, choose] = useState(0);
  useEffect(() => {
    input.current?.focus();
    load().then(
      (ready) => setFind(() => ready),
      () => setFind("failed"),
    );
  }, []);
  const found = typeof find === "function" && query.trim() !== "" ? find(query) : [];
  const go = (href: string) => {
    close();
    router.push(href);
  };
  const onKeyDown = (event: ReactKeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      choose((chosen + step + found.length) % found.length);
    }
    const target = found[chosen];
    if (event.key === "Enter" && target) go(target.href);
  };
  return (
    <div className="docs-search-box">
      <div className="docs-search-field">
        <SearchIcon size={18} aria-hidden className="shrink-0 text-muted" />
        <input
          ref={input}
          type="search"
          role="combobox"
          aria-label="Search the documentation"
          aria-expanded={found.length > 0}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={found[chosen] ? `${list}-${chosen}` : undefined}
          placeholder="Guides, operations, fields, errors"
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={({ target }) => {
            setQuery(target.value);
            choose(0);
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" onClick={close} className="docs-search-close">
          <kbd>esc</kbd>
          <span className="sr-only">Close search</span>
        </button>
      </div>
      <div id={list} role="listbox" aria-label="Results" className="docs-search-results">
        {found.map((entry, index) => (
          <a
            key={entry.href}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === chosen}
            tabIndex={-1}
            href={entry.href}
            onPointerMove={() => index !== chosen && choose(index)}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              go(entry.href);
            }}
          >
            <span className="docs-search-title">
              {entry.title}
              <span>{entry.section}</span>
            </span>
            <span className="docs-search-excerpt">{entry.excerpt}</span>
          </a>
        ))}
      </div>
      <p role="status" className={found.length > 0 ? "sr-only" : "docs-search-status"}>
        {statusOf(find, query, found.length)}
      </p>
    </div>
  );
}

function statusOf(find: Find | "failed" | undefined, query: string, count: number): string {
  if (find === "failed") return "Search could not be loaded. Check the connection and open it again.";
  if (query.trim() === "") return "Type what you are looking for: a word of a guide, a field, an error code.";
  if (find === undefined) return "Loading the index";
  if (count === 0) return "Nothing found. Try a shorter word, or the name of a field.";
  return count === 1 ? "1 result" : `${count} results`;
}
