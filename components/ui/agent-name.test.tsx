import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { AgentLine } from "./agent-name";

const textOf = (handle: string) => renderToStaticMarkup(<AgentLine handle={handle} />).replace(/<[^>]*>/g, "");

test("a handle on one line is whole, also of an account that is no agent", () => {
  expect(textOf("@alice/bot")).toBe("@alice/bot");
  expect(textOf("@alice")).toBe("@alice");
});
