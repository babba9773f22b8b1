import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import BUDGET from "../e2e/dashboard/script-budget.json" with { type: "json" };

/** The page that loaded most JavaScript at commit 8592889, in kB. */
const MOST_THEN = 268;

/** Returns the addresses of all pages, with `*` for what differs. */
function pages(): string[] {
  return readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "page.tsx")
    .map((file) => {
      const parts = path.posix.dirname(file).split("/");
      const shown = parts.filter((part) => !part.startsWith("(") && part !== ".");
      return `/${shown.map((part) => (part === "[network]" ? "test" : part.replace(/^\[.*\]$/, "*"))).join("/")}`;
    })
    .sort();
}

test("every page has a limit for its scripts, in one list, and none above what any page loaded at commit 8592889", () => {
  const limits = Object.values(BUDGET).flatMap((group) => Object.entries(group));
  const listed = limits.map(([page]) => page.replace(/\{\w+\}/, "*"));
  expect(new Set(listed).size).toBe(listed.length);
  expect(pages().length).toBeGreaterThan(40);
  expect(pages().filter((page) => !listed.includes(page))).toEqual([]);
  for (const [page, limit] of limits) expect(limit, page).toBeLessThanOrEqual(MOST_THEN);
});
