import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ServiceUnreachable } from "@/sdk/api/errors";
import { Mark } from "./create-progress";

test("a step is marked as failed only if it is known that it was not done", () => {
  const marked = (mayHaveHappened: boolean) =>
    renderToStaticMarkup(
      <Mark standing={{ error: Object.assign(new ServiceUnreachable("-"), { mayHaveHappened }) }} />,
    );
  expect(marked(true)).toContain('aria-label="not known yet"');
  expect(marked(true)).not.toContain("failed");
  expect(marked(false)).toContain('aria-label="failed"');
});
