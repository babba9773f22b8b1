"use client";

import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from "react";

/** The field of the form that a text is pasted into. */
export const PASTED = "pasted";

/** A check that said nothing about the text. */
interface Unreachable {
  outcome: "unreachable";
  reason: string;
}

const FAILED: Unreachable = { outcome: "unreachable", reason: "The check did not load. Reload the page." };

function inAddress(): string {
  const text = location.hash.slice(1);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Checks the text after `#` in the page's address, now and whenever it changes. Nothing of it is sent to this service.
 *
 * @param check loads what reads the chain, then checks
 * @returns `first`: nothing was checked before, and no one has pasted anything
 */
export function useLinkCheck<Checked>(check: (text: string) => Promise<Checked>) {
  // Until the address is read: what most of the page is about stays where it is if there is nothing in it.
  const [state, setState] = useState<Checked | Unreachable | "none" | "checking">("none");
  const [first, setFirst] = useState(true);
  const newest = useRef(0);

  const again = async () => {
    newest.current += 1;
    const own = newest.current;
    const text = inAddress();
    if (text.trim() === "") return setState("none");
    setState("checking");
    const outcome = await check(text).catch(() => FAILED);
    // The address may have changed meanwhile.
    if (own !== newest.current) return;
    setState(outcome);
    setFirst(false);
  };
  const onAddress = useEffectEvent(() => void again());
  useEffect(() => {
    const read = () => onAddress();
    read();
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);

  const paste = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setFirst(false);
    const text = String(new FormData(event.currentTarget).get(PASTED) ?? "").trim();
    const own = text.split("#").at(-1) ?? "";
    // The address then says what is shown, and can be kept.
    if (own !== "" && own !== inAddress()) location.hash = own;
    else void again();
  };
  return { state, first, again, paste };
}
