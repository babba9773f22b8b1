import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { FormEnd } from "./form-end";
import { LookFirst } from "./look-first";

test("a form says that it failed only if that is known", () => {
  const ending = (isUnknown: boolean) =>
    renderToStaticMarkup(<FormEnd error="Why" isUnknown={isUnknown} busy={false} verb="Send" />);
  expect(ending(true)).toContain("Not known yet");
  expect(ending(false)).not.toContain("Not known yet");
  for (const isUnknown of [false, true]) expect(ending(isUnknown)).toContain("Why");
});

test("what may have been created leads to the list of what exists, and has no button that creates another", () => {
  const markup = renderToStaticMarkup(
    <LookFirst error="Why" href="/test/schedules">
      Look at your schedules
    </LookFirst>,
  );
  expect(markup).toContain('href="/test/schedules"');
  expect(markup).toContain("Not known yet");
  expect(markup).toContain("Why");
  expect(markup).not.toContain("</button>");
});
