import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("no page's title names the product, which the layout adds to each", () => {
  const pages = readdirSync("app", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith("/page.tsx"));
  expect(pages.length).toBeGreaterThan(40);
  const doubled = pages.filter((page) => /\btitle: "[^"]*Halcyon"/.test(readFileSync(`app/${page}`, "utf8")));
  expect(doubled).toEqual([]);
});
