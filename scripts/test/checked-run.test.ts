import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { removeFolder } from "../stack/files";
import { failuresOf, reportWrong } from "./checked-run";

const folder = mkdtempSync(path.join(tmpdir(), "halcyon-checked-"));
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});
afterAll(() => removeFolder(folder));

test("what was wrong in a run is printed, and written where npm test reads it", () => {
  const file = path.join(folder, "report.json");
  vi.stubEnv("HALCYON_TEST_REPORT", file);
  const printed = vi.spyOn(console, "error").mockReturnValue();
  reportWrong(["tr_1 is still pending", "never delivered: ev_1"]);
  expect(printed.mock.calls).toEqual([["tr_1 is still pending"], ["never delivered: ev_1"]]);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(["tr_1 is still pending", "never delivered: ev_1"]);
});

test("a run that failed is one failure that says why, and one that did not is none", () => {
  expect(failuresOf([])).toEqual([]);
  expect(failuresOf(["Error: no node\n    at x.ts:1", "tr_1 is still pending"])).toEqual([
    "Error: no node; tr_1 is still pending",
  ]);
  expect(failuresOf(["1", "2", "3", "4", "5", "6", "7"])).toEqual(["1; 2; 3; 4; 5; and 2 more"]);
});
