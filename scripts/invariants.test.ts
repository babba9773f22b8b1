import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Returns the numbers of the invariants in docs/protocol.md. */
function listed(): number[] {
  const [, section = ""] = readFileSync("docs/protocol.md", "utf8").split(/^## 10\. .*$/m);
  return [...section.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
}

/**
 * Returns the numbers in names of tests: `invariant 7: …`, `invariants 2 and 3: …`, `test_Invariant12_…`,
 * `invariant_15_…`.
 */
function named(): Set<number> {
  const files = execFileSync(
    "git",
    ["ls-files", "*.test.ts", "circuits/test/*.ts", "*.t.sol", "scripts/attack/rows/*.ts"],
    {
      encoding: "utf8",
    },
  );
  const numbers = files
    .trim()
    .split("\n")
    .flatMap((file) => {
      const text = readFileSync(file, "utf8");
      const inWords = [...text.matchAll(/"invariants? (\d+)(?: and (\d+))?[":]/g)];
      const inSolidity = [...text.matchAll(/function \w*?[Ii]nvariant_?(\d+)_/g)];
      return [...inWords, ...inSolidity].flatMap(([, ...found]) => found.filter(Boolean).map(Number));
    });
  return new Set(numbers);
}

test("every invariant of the protocol has a test that is named after it", () => {
  const invariants = listed();
  expect(invariants).toEqual(Array.from({ length: 28 }, (_, at) => at + 1));
  expect([...named()].sort((a, b) => a - b)).toEqual(invariants);
});
