"use client";

import { Search } from "lucide-react";
import dynamic from "next/dynamic";
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import { ICON_BUTTON } from "@/components/shell/icon-button";
import { NAVIGATION } from "@/components/shell/navigation";
import { useGo } from "@/components/shell/page-transition";
import { useSwitchTheme } from "@/components/shell/use-switch-theme";
import { classNames } from "@/components/ui/class-names";
import type { Network } from "@/lib/network";

// Loaded when they are first used.
const Palette = dynamic(() => import("./palette").then((module) => module.Palette), { ssr: false });
const Shortcuts = dynamic(() => import("./shortcuts").then((module) => module.Shortcuts), {
  ssr: false,
});

/** So soon after `g` the second key of a shortcut comes. */
const PAIR_MS = 1_500;

const never = () => () => {};
/** Whether this is a Mac, whose people press ⌘; known in the browser alone. */
const useMac = () =>
  useSyncExternalStore(
    never,
    () => /mac/i.test(navigator.platform),
    () => false,
  );

/** Whether someone is typing, or a dialog or menu has the keys. */
const hasTheKeys = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest('input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]') !== null;

/**
 * Opens search and commands: by button, `⌘K` or `Ctrl K`, or `/`. `?` lists the keyboard's shortcuts, `g` and a letter
 * go to a page. What opens is loaded when it is first used.
 */
export function CommandPalette({
  network,
  inbox,
  setTheme,
}: {
  network: Network;
  /** Email goes to a page of the local stack. */
  inbox: boolean;
  /** Remembers the form's `theme` for this browser. */
  setTheme: (form: FormData) => Promise<void>;
}) {
  const [used, setUsed] = useState<{ palette?: true; shortcuts?: true }>({});
  const [open, setOpen] = useState<"palette" | "shortcuts">();
  const [pressedG] = useState({ at: 0 });
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
    if (key.toLowerCase() === "k" && (metaKey || ctrlKey)) {
      event.preventDefault();
      if (open === "palette") close();
      else show("palette");
      return;
    }
    if (metaKey || ctrlKey || altKey || hasTheKeys(target)) return;
    const isPair = event.timeStamp - pressedG.at < PAIR_MS;
    pressedG.at = key === "g" ? event.timeStamp : 0;
    const place = isPair
      ? NAVIGATION.flatMap(({ pages }) => pages).find(({ shortcut }) => shortcut === key)
      : undefined;
    if (place) go(`/${network}${place.path}`);
    else if (key === "/") show("palette");
    else if (key === "?") show("shortcuts");
    else return;
    // The second key of a pair is no one else's: a page may do something by it.
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
        aria-label="Search or do"
        onClick={() => show("palette")}
        className={classNames(ICON_BUTTON, "md:hidden")}
      >
        <Search size={18} aria-hidden="true" />
      </button>
      <button
        type="button"
        data-early
        aria-haspopup="dialog"
        onClick={() => show("palette")}
        className="hidden h-8 w-56 items-center gap-2 rounded-lg border border-line bg-raised px-2.5 text-muted text-sm shadow-raised hover:border-line-strong md:flex"
      >
        <Search size={14} aria-hidden="true" />
        Search or do
        <kbd className="ml-auto font-sans text-faint text-xs">{mac ? "⌘K" : "Ctrl K"}</kbd>
      </button>
      {used.palette && (
        <Palette
          open={open === "palette"}
          inbox={inbox}
          onClose={close}
          switchTheme={switchTheme}
          help={() => show("shortcuts")}
        />
      )}
      {used.shortcuts && <Shortcuts open={open === "shortcuts"} onClose={close} mac={mac} />}
    </>
  );
}
