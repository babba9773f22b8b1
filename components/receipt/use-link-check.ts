"use client";

import { type FormEvent, useEffect, useEffectEvent, useState } from "react";

/** The field of the form that a text is pasted into. */
export const PASTED = "pasted";

/** A check that said nothing about the text. */
interface Unreachable {
  outcome: "unreachable";
  reason: string;
}

const inAddress = () => decodeURIComponent(location.hash.slice(1));

/**
 * Checks the text after `#` in the page's address, now and whenever it changes. Nothing of it is sent to this service.
 *
 * @param check loads what reads the chain, then checks
 */
export function useLinkCheck<Checked>(check: (text: string) => Promise<Checked>) {
  const [state, setState] = useState<Checked | Unreachable | "none" | "checking">("checking");

  const run = useEffectEvent(async (text: string) => {
    if (text.trim() === "") return setState("none");
    setState("checking");
    const failed: Unreachable = { outcome: "unreachable", reason: "The check did not load. Reload the page." };
    setState(await check(text).catch(() => failed));
  });
  const [asked, setAsked] = useState(0);
  const again = () => setAsked((count) => count + 1);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a repeated check has the same text
  useEffect(() => {
    const read = () => void run(inAddress());
    read();
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, [asked]);

  const paste = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get(PASTED) ?? "").trim();
    const own = text.split("#").at(-1) ?? "";
    // The address then says what is shown, and can be kept.
    if (own !== "" && own !== inAddress()) location.hash = own;
    else again();
  };
  return { state, again, paste };
}
