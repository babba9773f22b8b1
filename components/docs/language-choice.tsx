"use client";

import { useEffect, useRef } from "react";
import { note, noted } from "@/components/api/browser/notes";
import { languageToShow } from "./language-to-show";
import { LANGUAGES } from "./languages";

const KEY = "halcyon-docs-language";

/**
 * Chooses the language of all samples on the page. Radio buttons that work with style sheets alone; the tabs of each
 * sample are their labels. With scripts, the choice is remembered.
 */
export function LanguageChoice() {
  const group = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    const radios = [...(group.current?.querySelectorAll("input") ?? [])];
    const language = languageToShow(radios, noted("localStorage", KEY));
    for (const radio of radios) if (radio.value === language) radio.checked = true;
    if (language !== null) note("localStorage", KEY, language);
  }, []);
  return (
    <fieldset
      ref={group}
      className="docs-languages"
      onChange={(event) => {
        const target: EventTarget = event.target;
        if (target instanceof HTMLInputElement) note("localStorage", KEY, target.value);
      }}
    >
      <legend>Language of the samples</legend>
      {LANGUAGES.map(({ id, name }, index) => (
        <input
          key={id}
          type="radio"
          // What a reload restores is no choice.
          autoComplete="off"
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
