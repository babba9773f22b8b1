"use client";

import { Search } from "lucide-react";
import dynamic from "next/dynamic";
import { useEffect, useState } from "react";
import type { Network } from "@/lib/network";

const Palette = dynamic(() => import("./palette").then((module) => module.Palette), { ssr: false });

/** Opens the command palette: by button, `⌘K` or `Ctrl K`. Its code is loaded when it is first used. */
export function CommandPalette({ network }: { network: Network }) {
  const [used, setUsed] = useState(false);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setUsed(true);
      setOpen((now) => !now);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => {
          setUsed(true);
          setOpen(true);
        }}
        className="hidden h-8 w-56 items-center gap-2 rounded-lg border border-line bg-raised px-2.5 text-muted text-sm shadow-raised hover:border-line-strong md:flex"
      >
        <Search size={14} aria-hidden="true" />
        Go to or do
        <kbd className="ml-auto font-sans text-faint text-xs">Ctrl K</kbd>
      </button>
      {used && <Palette network={network} open={open} onClose={() => setOpen(false)} />}
    </>
  );
}
