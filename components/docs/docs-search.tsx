"use client";

import { Search as SearchIcon } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { onDemand } from "@/components/ui/on-demand";
import { takeEarlyPress } from "@/components/ui/take-early-press";

// Loads the index and its code when the search first opens.
const SearchBox = onDemand(() => import("./search-box").then((module) => module.SearchBox));

/** Search over the documentation: a button, the `/` key, and a dialog. */
export function DocsSearch() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [open, setOpen] = useState(false);
  const show = useCallback(() => {
    setOpen(true);
    dialog.current?.showModal();
  }, []);
  useEffect(() => {
    // The button below is all that the documentation remembers.
    if (takeEarlyPress()) show();
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
      <button
        type="button"
        data-early="/"
        className="docs-search-open"
        onClick={show}
        aria-label="Search the documentation"
      >
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
