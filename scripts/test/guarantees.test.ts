import { describe, expect, it } from "vitest";
import { compareGuarantees, guaranteesOf, TEST_FILE } from "./guarantees";

const namesIn = (file: string, source: string) => guaranteesOf(file, source).map(({ name }) => name);

describe("the list of guarantees", () => {
  it("has the name of each test, of a table of cases once", () => {
    const source = [
      'test("a payment happens once", () => {});',
      "it.skip('a \\'quoted\\' name', () => {});",
      'test.each([["(", 1], [")", 2]])("%s is refused", () => {});',
      'test.prop({ a: fc.integer() }, { seed: 1 })(\n  "holds for any amount",\n  () => {},\n);',
      'await page.test(value); const { it } = say("it");',
    ].join("\n");
    expect(namesIn("a.test.ts", source)).toEqual([
      "a payment happens once",
      "a \\'quoted\\' name",
      "%s is refused",
      "holds for any amount",
    ]);
  });

  it("has the functions of contracts' and Python's tests", () => {
    expect(namesIn("Ledger.t.sol", "function testFuzz_pays(uint x) {}\nfunction helper() {}")).toEqual([
      "testFuzz_pays",
    ]);
    expect(namesIn("test_client.py", "    async def test_pays():\n        pass")).toEqual(["test_pays"]);
  });

  it("reads files of tests only", () => {
    const files = ["a.test.tsx", "e2e/a.spec.ts", "A.t.sol", "sdk/test_a.py", "a.ts", "fixtures.ts"];
    expect(files.filter((file) => TEST_FILE.test(file))).toEqual(files.slice(0, 4));
  });

  it("shows what moved, what is gone and what is new", () => {
    const before = [
      { file: "a.test.ts", name: "stays" },
      { file: "a.test.ts", name: "moves" },
      { file: "a.test.ts", name: "goes" },
    ];
    const after = [
      { file: "a.test.ts", name: "stays" },
      { file: "b.test.ts", name: "moves" },
      { file: "b.test.ts", name: "comes" },
    ];
    expect(compareGuarantees(before, after)).toEqual({
      gone: [{ file: "a.test.ts", name: "goes" }],
      moved: [{ name: "moves", from: "a.test.ts", to: "b.test.ts" }],
      added: [{ file: "b.test.ts", name: "comes" }],
    });
  });
});
