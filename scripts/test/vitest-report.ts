/*
 * A reporter of Vitest's that writes to the file in `HALCYON_TEST_REPORT` how many tests passed, and what failed: tests,
 * hooks, files that could not be run, and errors that belong to no test. Vitest's own JSON lacks the last.
 * https://vitest.dev/guide/advanced/reporters
 */
import { writeFileSync } from "node:fs";
import type { Reporter, SerializedError, TestModule } from "vitest/node";
import { named } from "./failures";

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
  const tests = [...children.allTests("failed")].map((test) =>
    named(file, test.fullName, test.result().errors?.[0]?.message),
  );
  return [...outside, ...suites, ...tests];
}

/** Returns the first line of a stack that is in code of ours. */
function placeIn(stack = ""): string {
  const line = stack.split("\n").find((each) => each.includes("/") && !each.includes("node_modules"));
  return line?.trim() ?? "";
}

export default class implements Reporter {
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
