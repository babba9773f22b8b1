import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ErrorCallout } from "./error-callout";

const markupOf = (isUnknown: boolean) =>
  renderToStaticMarkup(
    <ErrorCallout isUnknown={isUnknown} failed="It was not saved.">
      Why
    </ErrorCallout>,
  );

test("an error says that it was not done only if that is known, and is announced either way", () => {
  expect(markupOf(false)).toContain("It was not saved.");
  expect(markupOf(true)).not.toContain("It was not saved.");
  expect(markupOf(true)).toContain("Not known yet");
  for (const isUnknown of [false, true]) {
    expect(markupOf(isUnknown)).toContain('role="alert"');
    expect(markupOf(isUnknown)).toContain("Why");
  }
});
