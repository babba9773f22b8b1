import { expect, test } from "vitest";
import { marksAfter } from "./use-selection";

const IDS = ["a", "b", "c", "d"];
const after = (marked: string[], id: string, on: boolean, from: string | null = null) =>
  [...marksAfter(new Set(marked), IDS, { id, on, from })].sort();

test("a row selected twice stays selected, as when an early press repeats what another one did", () => {
  expect(after(["a", "b"], "b", true)).toEqual(["a", "b"]);
  expect(after(["a"], "b", true)).toEqual(["a", "b"]);
  expect(after(["a", "b"], "b", false)).toEqual(["a"]);
  expect(after(["a"], "b", false)).toEqual(["a"]);
});

test("a range selects every row from the last one, in either direction", () => {
  expect(after(["b"], "d", true, "b")).toEqual(["b", "c", "d"]);
  expect(after(["d"], "b", false, "d")).toEqual(["b", "c", "d"]);
  expect(after([], "c", true, "gone")).toEqual(["c"]);
});
