"use client";

import { Search } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import { inputClass } from "@/components/ui/field";

/** Loaded when something is looked for. */
const Results = dynamic(() => import("./search-results").then((module) => module.SearchResults), { ssr: false });

/**
 * Finds payments by memo, amount, reference or person, in this browser: what is typed is neither sent nor part of the
 * page's address. Empty, the list is what it was.
 */
export function TransferSearch({ path, children }: { path: string; children: ReactNode }) {
  const [text, setText] = useState("");
  const looking = text.trim().length > 1;
  return (
    <>
      <div className="relative border-line border-t px-4 py-3 sm:px-5">
        <Search
          size={14}
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-7 -translate-y-1/2 text-muted sm:left-8"
        />
        <input
          type="search"
          aria-label="Search memos, amounts and people"
          placeholder="Search memos, amounts and people in this browser"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className={`${inputClass} text-ellipsis pl-8!`}
        />
      </div>
      {looking ? <Results path={path} text={text.trim()} /> : children}
    </>
  );
}
