"use client";

import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from "react";

/** The name of the field to paste a text into. */
export const PASTED = "pasted";

/** The result of a check that could not be made. */
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
 * Checks the text after `#` in the page's address, at first and whenever it changes. Sends none of it to this service.
 *
 * @param check loads the code that reads the chain, then checks
 * @returns `first`: whether this is the first check and nothing was pasted
 */
export function useLinkCheck<Checked>(check: (text: string) => Promise<Checked>) {
  // Until the address is read, show the page as for an empty address, so that nothing moves if it is empty.
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
    // The address may have changed in the meantime.
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
    // The address then names what is shown, and can be saved.
    if (own !== "" && own !== inAddress()) location.hash = own;
    else void again();
  };
  return { state, first, again, paste };
}
