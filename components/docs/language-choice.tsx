"use client";

import { useEffect, useRef } from "react";
import { LANGUAGES } from "./languages";

const KEY = "halcyon-docs-language";

/**
 * The language of all samples of the page: radios, read by style sheets alone, which the tabs of each sample are
 * labels of. With scripts the choice is also kept for the next visit.
 */
export function LanguageChoice() {
  const group = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    const chosen = localStorage.getItem(KEY);
    const input = group.current?.querySelector<HTMLInputElement>(`#language-${CSS.escape(chosen ?? "bash")}`);
    if (input) input.checked = true;
  }, []);
  return (
    <fieldset
      ref={group}
      className="docs-languages"
      onChange={(event) => {
        const target: EventTarget = event.target;
        if (target instanceof HTMLInputElement) localStorage.setItem(KEY, target.value);
      }}
    >
      <legend>Language of the samples</legend>
      {LANGUAGES.map(({ id, name }, index) => (
        <input
          key={id}
          type="radio"
          name="language"
          id={`language-${id}`}
          value={id}
          defaultChecked={index === 0}
          aria-label={name}
        />
      ))}
    </fieldset>
  );
}
