import { expect, it } from "vitest";
import { codeTexts } from "./comments";

it("the words check reads comments and test names, and neither code nor texts of the program", () => {
  const source = `/** First
 * line, \`code\`. */
const url = "https://example.com // not a comment"; // second
const told = \`/* a template */\`;
test("third", () => expect("text").toBe('other'));
it.each([1])("fourth %s", () => {});
describe(
  "fifth",
  () => {},
);`;
  expect(codeTexts(source).map(({ line, text }) => `${line}:${text.trim()}`)).toEqual([
    "1:First line, ….",
    "3:second",
    "5:third",
    "6:fourth %s",
    "7:fifth",
  ]);
});
