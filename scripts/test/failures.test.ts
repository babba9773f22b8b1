import { expect, test } from "vitest";
import { forgeFailures, pagesOfFailures, playwrightFailures } from "./failures";

test("a browser test is named when it failed, and when only a second try passed", () => {
  const spec = (title: string, status: string, ...messages: string[]) => ({
    title,
    file: "dashboard/x.spec.ts",
    line: 7,
    tests: [{ status, results: [{ errors: messages.map((message) => ({ message })) }] }],
  });
  const inner = {
    specs: [spec("b", "unexpected", "Test timeout exceeded.", "Error: page.goto: too late\nmore"), spec("c", "flaky")],
  };
  const suites = [{ specs: [spec("a", "expected")], suites: [inner] }];
  expect(playwrightFailures({ stats: { expected: 1 }, errors: [{ message: "no browser" }], suites })).toEqual([
    "e2e: no browser",
    "e2e/dashboard/x.spec.ts:7: b: Test timeout exceeded.; Error: page.goto: too late",
    "e2e/dashboard/x.spec.ts:7: c",
  ]);
});

test("of a failed assertion in the browser, the line says what was expected where, and what was there", () => {
  const message =
    "Error: \u001b[2mexpect(locator).toBeFocused() failed\u001b[22m\n\nLocator:  getByRole('button')\nExpected: focused\nReceived: inactive\nTimeout:  120000ms\n\nCall log:\n  - waiting";
  const specs = [
    { title: "a", file: "x.spec.ts", line: 1, tests: [{ status: "unexpected", results: [{ errors: [{ message }] }] }] },
  ];
  expect(playwrightFailures({ stats: { expected: 0 }, errors: [], suites: [{ specs }] })).toEqual([
    "e2e/x.spec.ts:1: a: Error: expect(locator).toBeFocused() failed, Locator: getByRole('button'), Expected: focused, Received: inactive",
  ]);
});

test("of a failed browser test, what was on its page is shown, and of others nothing", () => {
  const files: Record<string, string> = {
    "/a.md":
      '# Test info\n\n# Page snapshot\n\n```yaml\n- dialog "Unlock":\n  - alert: No wallet\n```\n\n# Test source\n',
    "/b.md": "# Test info\n\n# Error details\n",
    "/c.md": "# Error details\n\n```\nError: not focused\n```\n\n```yaml\n- button [active]\n```\n\n# Test source\n",
  };
  const spec = (line: number, status: string, path: string) => ({
    title: "",
    file: "x.spec.ts",
    line,
    tests: [{ status, results: [{ errors: [], attachments: [{ name: "trace" }, { name: "error-context", path }] }] }],
  });
  const suites = [
    {
      specs: [
        spec(1, "unexpected", "/a.md"),
        spec(2, "expected", "/a.md"),
        spec(3, "unexpected", "/b.md"),
        spec(4, "unexpected", "/c.md"),
      ],
    },
  ];
  expect(pagesOfFailures({ stats: { expected: 1 }, errors: [], suites }, (file) => files[file] as string)).toEqual([
    'The page of e2e/x.spec.ts:1 when it failed:\n- dialog "Unlock":\n  - alert: No wallet',
    "The page of e2e/x.spec.ts:4 when it failed:\n- button [active]",
  ]);
});

test("a failed contract test is named once, although forge prints it twice", () => {
  const line = "[FAIL: revert: no; counterexample: calldata=0x1] test_pays(uint256) (runs: 3, μ: 1, ~: 1)";
  expect(forgeFailures(`${line}\n[PASS] test_other() (gas: 1)\n\nFailing tests:\n${line}\n`)).toEqual([
    "[FAIL: revert: no; counterexample: calldata=0x1] test_pays(uint256)",
  ]);
});
