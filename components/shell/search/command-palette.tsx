"use client";

import { Search } from "lucide-react";
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import { ICON_BUTTON } from "@/components/shell/icon-button";
import { PAGES } from "@/components/shell/navigation";
import { useGo } from "@/components/shell/page-transition";
import { useSwitchTheme } from "@/components/shell/use-switch-theme";
import { classNames } from "@/components/ui/class-names";
import { onDemand } from "@/components/ui/on-demand";
import type { Network } from "@/lib/base/network";
import { paletteKey } from "./palette-key";

// Loaded on first use.
const Palette = onDemand(() => import("./palette").then((module) => module.Palette));
const Shortcuts = onDemand(() => import("./shortcuts").then((module) => module.Shortcuts));

/** How long after `g` the second key of a shortcut counts, in milliseconds. */
const PAIR_MS = 1_500;

const never = () => () => {};
/** Returns whether this is a Mac, which uses ⌘. Known only in the browser. */
const useMac = () =>
  useSyncExternalStore(
    never,
    () => /mac/i.test(navigator.platform),
    () => false,
  );

/** Returns whether someone is typing, or a dialog or menu has the keyboard. */
const hasTheKeys = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest('input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]') !== null;

/**
 * Opens search and commands: by button, `⌘K` or `Ctrl K`, or `/`. `?` lists the keyboard shortcuts; `g` and a letter go
 * to a page. What opens is loaded on first use.
 */
export function CommandPalette({
  network,
  inbox,
  setTheme,
}: {
  network: Network;
  /** Whether email goes to a page of the local stack. */
  inbox: boolean;
  /** Stores the form's `theme` for this browser. */
  setTheme: (form: FormData) => Promise<void>;
}) {
  const [used, setUsed] = useState<{ palette?: true; shortcuts?: true }>({});
  const [open, setOpen] = useState<"palette" | "shortcuts">();
  /** Whether the palette is there to type into, after its code has loaded. */
  const [onScreen, setOnScreen] = useState(false);
  const [pressedG] = useState({ at: Number.NEGATIVE_INFINITY });
  const go = useGo();
  const switchTheme = useSwitchTheme(setTheme);
  const mac = useMac();
  const show = (what: "palette" | "shortcuts") => {
    setUsed((before) => ({ ...before, [what]: true }));
    setOpen(what);
  };
  const close = () => setOpen(undefined);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, metaKey, ctrlKey, altKey, target } = event;
    const act = paletteKey(event, onScreen && open === "palette");
    if (act) {
      event.preventDefault();
      if (act === "close") close();
      if (act === "open") show("palette");
      return;
    }
    if (metaKey || ctrlKey || altKey || hasTheKeys(target)) return;
    const isPair = event.timeStamp - pressedG.at < PAIR_MS;
    // Events are timed from when the page was loaded: 0 would make the page's first keys the second of a pair.
    pressedG.at = key === "g" ? event.timeStamp : Number.NEGATIVE_INFINITY;
    const place = isPair ? PAGES.find(({ shortcut }) => shortcut === key) : undefined;
    if (place) go(`/${network}${place.path}`);
    else if (key === "/") show("palette");
    else if (key === "?") show("shortcuts");
    else return;
    // Consume the second key, since the page may have a shortcut for it.
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  useEffect(() => {
    addEventListener("keydown", onKey, { capture: true });
    return () => removeEventListener("keydown", onKey, { capture: true });
  }, []);
  return (
    <>
      <button
        type="button"
        data-early
        aria-haspopup="dialog"
        aria-label="Search and commands"
        onClick={() => show("palette")}
        className={classNames(ICON_BUTTON, "md:hidden")}
      >
        <Search size={18} aria-hidden="true" />
      </button>
      <button
        type="button"
        data-early="/"
        aria-haspopup="dialog"
        onClick={() => show("palette")}
        className="hidden h-8 w-56 items-center gap-2 rounded-lg border border-line bg-raised px-2.5 text-muted text-sm shadow-raised hover:border-line-strong md:flex"
      >
        <Search size={14} aria-hidden="true" />
        <span>
          Search<span className="sr-only"> and commands</span>
        </span>
        <kbd className="ml-auto font-sans text-faint text-xs">{mac ? "⌘K" : "Ctrl K"}</kbd>
      </button>
      {used.palette && (
        <Palette
          open={open === "palette"}
          inbox={inbox}
          onClose={close}
          onScreen={setOnScreen}
          switchTheme={switchTheme}
          help={() => show("shortcuts")}
        />
      )}
      {used.shortcuts && <Shortcuts open={open === "shortcuts"} onClose={close} mac={mac} />}
    </>
  );
}
