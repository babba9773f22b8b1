import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { RecoveryCodeField } from "./recovery-code-field";

const attributes = (markup: string) => /<input([^>]*)>/.exec(markup)?.[1] ?? "";

test("a recovery code is kept by no browser, corrected by none, and says how it is written", () => {
  const markup = renderToStaticMarkup(<RecoveryCodeField />);
  const input = attributes(markup);
  for (const set of ['autoComplete="off"', 'autoCapitalize="characters"', 'spellCheck="false"']) {
    expect(input.toLowerCase()).toContain(set.toLowerCase());
  }
  // With a name it would be part of a submitted form.
  expect(input).not.toContain("name=");
  expect(markup).toContain("Seven groups of four. Case and hyphens do not matter.");
});

test("the label and what is wrong with a code belong to its field", () => {
  const markup = renderToStaticMarkup(<RecoveryCodeField error="Group 3 is not right." />);
  const id = /id="([^"]*)"/.exec(attributes(markup))?.[1];
  expect(markup).toContain(`for="${id}"`);
  expect(attributes(markup)).toContain('aria-invalid="true"');
  const [described] = /aria-describedby="([^"]*)"/.exec(attributes(markup))?.slice(1) ?? [];
  const error = described?.split(" ").find((one) => one.endsWith("error"));
  expect(markup).toMatch(new RegExp(`id="${error}"[^>]*>Group 3 is not right\\.`));
});
