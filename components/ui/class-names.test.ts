import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { twMerge } from "tailwind-merge";
import { expect, it } from "vitest";

/** Matches strings of several words that look like class names. */
const CLASSES = /"((?:[\w:[\]()/.%&*>,+-]+ )+[\w:[\]()/.%&*>,+-]+)"/g;

it("no class of a class list overrides another one", () => {
  const files = ["app", "components"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
      .map((file) => path.join(folder, file)),
  );
  const lists = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(CLASSES)].map(([, list = ""]) => ({ file, list })),
  );
  expect(lists.length).toBeGreaterThan(500);
  expect(lists.filter(({ list }) => twMerge(list) !== list)).toEqual([]);
});

it("a class that another one overrides is found", () => {
  expect(twMerge("px-2 text-sm text-muted p-4")).toBe("text-sm text-muted p-4");
});
