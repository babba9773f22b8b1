import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../stack/config";
import { KNOWN_TO_THE_SERVER, OF_THE_SERVER, specsOfRoutes } from "./next";

test("what `next start` alone is not asked names only files and tests that there are", () => {
  const fileOf = (name: string) => path.join(ROOT, "e2e/api", `${name}.spec.ts`);
  expect(OF_THE_SERVER.filter((name) => !existsSync(fileOf(name)))).toEqual([]);
  const sources = specsOfRoutes().map((file) => readFileSync(path.join(ROOT, file), "utf8"));
  const gone = KNOWN_TO_THE_SERVER.filter((part) => !sources.some((source) => source.includes(part)));
  expect(gone).toEqual([]);
});
