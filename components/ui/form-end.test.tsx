import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { CreationEnd } from "./creation-end";
import { FormEnd } from "./form-end";

test("a form says that it failed only if that is known", () => {
  const ending = (isUnknown: boolean) =>
    renderToStaticMarkup(<FormEnd error="Why" isUnknown={isUnknown} busy={false} verb="Send" />);
  expect(ending(true)).toContain("Not known yet");
  expect(ending(false)).not.toContain("Not known yet");
  for (const isUnknown of [false, true]) expect(ending(isUnknown)).toContain("Why");
});

const ending = (isOther: boolean) =>
  renderToStaticMarkup(
    <CreationEnd
      error="Why."
      isUnknown
      isOther={isOther}
      busy={false}
      verb="Create schedule"
      href="/test/schedules"
      look="Look at your schedules"
      onForget={() => {}}
    />,
  );

test("what may have been created leads to the list of what exists, and is sent again as the same", () => {
  const markup = ending(false);
  expect(markup).toContain('href="/test/schedules"');
  expect(markup).toContain("Not known yet");
  expect(markup).toContain("Why.");
  expect(markup).toMatch(/<button type="submit"[^>]*>Try again/);
});

test("a form that was changed since creates another only by the button that says the first is not in the list", () => {
  const markup = ending(true);
  expect(markup).toContain('href="/test/schedules"');
  expect(markup).toMatch(/<button type="button"[^>]*>It is not in the list: create it/);
  // Enter tries again, which sends nothing until the form is as it was.
  expect(markup.match(/type="submit"/g)).toHaveLength(1);
  expect(markup).toMatch(/<button type="submit"[^>]*>Try again/);
});
