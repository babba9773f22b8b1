"use client";

import { useEffect, useRef } from "react";
import { LANGUAGES } from "./languages";

const KEY = "halcyon-docs-language";

/**
 * Chooses the language of all samples on the page. Radio buttons that work with style sheets alone; the tabs of each
 * sample are their labels. With scripts, the choice is remembered.
 */
export function LanguageChoice() {
  const group = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    const chosen = localStorage.getItem(KEY);
    if (chosen === null) {
      // What was chosen before this could hear it.
      const early = group.current?.querySelector<HTMLInputElement>("input:checked");
      if (early && !early.defaultChecked) localStorage.setItem(KEY, early.value);
      return;
    }
    const input = group.current?.querySelector<HTMLInputElement>(`#language-${CSS.escape(chosen)}`);
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
