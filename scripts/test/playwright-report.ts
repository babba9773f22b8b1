/*
 * A reporter of Playwright's: says how far the browser's tests are, and each failure with its place in the code.
 * https://playwright.dev/docs/api/class-reporter
 */
import path from "node:path";
import type { FullConfig, Reporter, Suite, TestCase, TestError, TestResult } from "@playwright/test/reporter";
import { named } from "./failures";
import { Progress } from "./progress";

const detail = ({ stack, message, value, snippet }: TestError) => [stack ?? message ?? value, snippet].join("\n");

export default class implements Reporter {
  private progress?: Progress;
  private root = "";

  onBegin({ rootDir }: FullConfig, suite: Suite): void {
    this.root = path.dirname(rootDir);
    this.progress = new Progress("e2e", suite.allTests().length);
  }

  onTestEnd(test: TestCase, { status, errors }: TestResult): void {
    if (status === "passed") this.progress?.pass();
    else if (status !== "skipped") {
      const { file, line } = test.location;
      const where = `${path.relative(this.root, file)}:${line}`;
      this.progress?.fail(named(where, test.title, ...errors.map(({ message }) => message)));
      for (const error of errors) console.log(detail(error));
    }
    this.progress?.ended();
  }

  onError(error: TestError): void {
    console.log(detail(error));
  }
}
