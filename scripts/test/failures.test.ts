import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../stack/config";
import { forgeFailures, playwrightFailures, vitestFailures } from "./failures";

test("a failed unit test is named with its file and the first line of its error, without colours", () => {
  const report = {
    numPassedTests: 1,
    testResults: [
      {
        name: path.join(ROOT, "lib/a.test.ts"),
        status: "failed",
        message: "",
        assertionResults: [
          { fullName: "a holds", status: "passed" },
          { fullName: "b holds", status: "failed", failureMessages: ["\u001b[31mexpected 1\u001b[39m\n  at x"] },
        ],
      },
      { name: path.join(ROOT, "lib/b.test.ts"), status: "failed", message: "no such import", assertionResults: [] },
      { name: path.join(ROOT, "lib/c.test.ts"), status: "passed", message: "", assertionResults: [] },
    ],
  };
  expect(vitestFailures(report)).toEqual(["lib/a.test.ts: b holds: expected 1", "lib/b.test.ts: no such import"]);
});

test("a browser test is named when it failed, and when only a second try passed", () => {
  const spec = (title: string, status: string, message?: string) => ({
    title,
    file: "dashboard/x.spec.ts",
    line: 7,
    tests: [{ status, results: [{ errors: message ? [{ message }] : [] }] }],
  });
  const inner = { specs: [spec("b", "unexpected", "Error: no\nmore"), spec("c", "flaky")] };
  const suites = [{ specs: [spec("a", "expected")], suites: [inner] }];
  expect(playwrightFailures({ stats: { expected: 1 }, errors: [{ message: "no browser" }], suites })).toEqual([
    "e2e: no browser",
    "e2e/dashboard/x.spec.ts:7: b: Error: no",
    "e2e/dashboard/x.spec.ts:7: c",
  ]);
});

test("a failed contract test is named once, although forge prints it twice", () => {
  const line = "[FAIL: revert: no; counterexample: calldata=0x1] test_pays(uint256) (runs: 3, μ: 1, ~: 1)";
  expect(forgeFailures(`${line}\n[PASS] test_other() (gas: 1)\n\nFailing tests:\n${line}\n`)).toEqual([
    "[FAIL: revert: no; counterexample: calldata=0x1] test_pays(uint256)",
  ]);
});
