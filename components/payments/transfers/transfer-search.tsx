"use client";

import { Search } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Input } from "@/components/ui/field";
import { onDemand } from "@/components/ui/on-demand";

/** Loaded when someone searches. */
const Results = onDemand(() => import("./search-results").then((module) => module.SearchResults));

/**
 * Finds payments by memo, amount, reference or person, in this browser. The text is neither sent nor part of the page's
 * address. With an empty text, shows the unchanged list.
 */
export function TransferSearch({
  path,
  beside,
  children,
}: {
  path: string;
  /** Shown beside the field. */
  beside?: ReactNode;
  children: ReactNode;
}) {
  const [text, setText] = useState("");
  const looking = text.trim().length > 1;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-t px-4 py-3 sm:px-5">
        <div className="relative min-w-60 flex-1">
          <Search
            size={14}
            aria-hidden="true"
            className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-muted"
          />
          <Input
            type="search"
            aria-label="Search memos, amounts and people"
            placeholder="Search memos, amounts and people in this browser"
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="text-ellipsis pl-8!"
          />
        </div>
        {beside}
      </div>
      {looking ? <Results path={path} text={text.trim()} /> : children}
    </>
  );
}
