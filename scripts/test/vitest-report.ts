/*
 * A reporter of Vitest's that says how far the part in `HALCYON_TEST_PART` is, and writes to the file in
 * `HALCYON_TEST_REPORT` how many tests passed, and what failed: tests, hooks, files that could not be run, and errors
 * that belong to no test. Vitest's own JSON lacks the last.
 * https://vitest.dev/guide/advanced/reporters
 */
import { writeFileSync } from "node:fs";
import type { Reporter, SerializedError, TestCase, TestModule, TestSpecification } from "vitest/node";
import { named } from "./failures";
import { Progress } from "./progress";

/** The contents of the file. */
export interface VitestReport {
  passed: number;
  /** As {@link named} names them. */
  failures: string[];
}

const messages = (errors: readonly SerializedError[]) => errors.map(({ message }) => message);

function failuresOf(module: TestModule): string[] {
  const { relativeModuleId: file, children } = module;
  const outside = messages(module.errors()).map((message) => named(file, "", message));
  const suites = [...children.allSuites()].flatMap((suite) =>
    messages(suite.errors()).map((message) => named(file, suite.fullName, message)),
  );
  return [...outside, ...suites, ...[...children.allTests("failed")].map(failureOf)];
}

const failureOf = (test: TestCase) =>
  named(test.module.relativeModuleId, test.fullName, test.result().errors?.[0]?.message);

/** Returns the first line of a stack that is in code of ours. */
function placeIn(stack = ""): string {
  const line = stack.split("\n").find((each) => each.includes("/") && !each.includes("node_modules"));
  return line?.trim() ?? "";
}

export default class implements Reporter {
  private progress?: Progress;

  onTestRunStart(files: readonly TestSpecification[]): void {
    this.progress = new Progress(process.env.HALCYON_TEST_PART ?? "tests", files.length);
  }

  onTestCaseResult(test: TestCase): void {
    const { state } = test.result();
    if (state === "passed") this.progress?.pass();
    if (state === "failed") this.progress?.fail(failureOf(test));
  }

  onTestModuleEnd(): void {
    this.progress?.ended();
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const file = process.env.HALCYON_TEST_REPORT;
    if (!file) throw new Error("HALCYON_TEST_REPORT names the file to write");
    const passed = modules.reduce((sum, { children }) => sum + [...children.allTests("passed")].length, 0);
    const beside = unhandled.map(({ name = "", message, stack }) =>
      named("an error that no test awaited", name, `${message} ${placeIn(stack)}`.trim()),
    );
    const report: VitestReport = { passed, failures: [...modules.flatMap(failuresOf), ...beside] };
    writeFileSync(file, JSON.stringify(report));
  }
}
