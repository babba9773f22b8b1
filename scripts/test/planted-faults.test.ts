import { expect, test } from "vitest";
import { chooseFaults, type Fault, faultsOf, movedFault, nearest, withFault } from "./planted-faults";

const SOURCE = `import { a } from "b"; // a < b
export function f(ctx: Context, n: number) {
  requireOwner(ctx);
  if (n < 1) throw new Error("none");
  return n === 2 && ready;
}`;

test("faults are planted in code alone: comparisons turned round, checks forgotten", () => {
  const faults = faultsOf("verbs", "lib/f.ts", SOURCE).map(({ line, after }) => [line, after.trim()]);
  expect(faults).toEqual([
    [3, ""],
    [4, 'if (n <= 1) throw new Error("none");'],
    [4, ""],
    [5, "return n !== 2 && ready;"],
    [5, "return n === 2 || ready;"],
  ]);
});

test("a circuit loses a constraint, or lets through a bit more", () => {
  const source = "component r = Num2Bits(64);\n  sum === in;\n  // in === out;";
  const faults = faultsOf("circuits", "circuits/src/x.circom", source).map(({ line, after }) => [line, after.trim()]);
  expect(faults).toEqual([
    [1, "component r = Num2Bits(65);"],
    [2, ""],
  ]);
});

test("a fault changes its line alone, and only in the source that it was found in", () => {
  const [fault] = faultsOf("verbs", "lib/f.ts", SOURCE) as [Fault];
  expect(withFault(SOURCE, fault).split("\n")).toHaveLength(6);
  expect(withFault(SOURCE, fault)).not.toContain("requireOwner");
  expect(() => withFault(`\n${SOURCE}`, fault)).toThrow("line 3");
});

test("a fault is found again where its line stands now, or not at all", () => {
  const [fault] = faultsOf("verbs", "lib/f.ts", SOURCE) as [Fault];
  expect(movedFault(`\n\n${SOURCE}`, fault)).toEqual({ ...fault, line: 5 });
  expect(movedFault("something else", fault)).toBeUndefined();
});

test("a seed decides which faults are planted, in folders of their own while there are some", () => {
  const all = ["a/x", "a/y", "b/z"].flatMap((name) => faultsOf("verbs", `lib/${name}.ts`, SOURCE));
  const folders = (seed: string, count: number) =>
    chooseFaults(all, seed, count).map(({ file }) => file.slice(0, "lib/a".length));
  expect(folders("1", 2).sort()).toEqual(["lib/a", "lib/b"]);
  expect(folders("1", 9)).toHaveLength(3);
  expect(chooseFaults(all, "1", 2)).toEqual(chooseFaults(all, "1", 2));
  expect(new Set(["1", "2", "3", "4"].map((seed) => JSON.stringify(chooseFaults(all, seed, 2)))).size).toBeGreaterThan(
    1,
  );
});

test("the tests that are tried first stand nearest", () => {
  const tests = ["lib/b/z.test.ts", "lib/a/c/y.test.ts", "lib/a/w.test.ts", "lib/a/x.test.ts"];
  expect(nearest("lib/a/x.ts", tests)).toEqual([
    "lib/a/x.test.ts",
    "lib/a/w.test.ts",
    "lib/a/c/y.test.ts",
    "lib/b/z.test.ts",
  ]);
});
