/*
 * Names the tests that failed, from the runners' reports. They are printed once more at the end of a run: what comes
 * before them is long, and where only its end is kept, a count alone says nothing.
 */
import path from "node:path";
import { ROOT } from "../stack/config";

/** What is read of Vitest's JSON report. https://vitest.dev/guide/reporters#json-reporter */
export interface VitestReport {
  numPassedTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages?: string[] | null }[];
  }[];
}

interface PlaywrightSuite {
  specs: {
    title: string;
    file: string;
    line: number;
    tests: { status: string; results: { errors: { message: string }[] }[] }[];
  }[];
  suites?: PlaywrightSuite[];
}

/** What is read of Playwright's JSON report. https://playwright.dev/docs/test-reporters#json-reporter */
export interface PlaywrightReport {
  stats: { expected: number };
  errors: { message: string }[];
  suites: PlaywrightSuite[];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: this is how terminals are coloured
const COLOUR = /\u001b\[[0-9;]*m/g;

function named(where: string, name: string, message: string | undefined): string {
  const [first = ""] = (message ?? "").replace(COLOUR, "").trim().split("\n");
  return [where, name, first.slice(0, 300)].filter(Boolean).join(": ");
}

/** The tests of a Vitest report that failed, and the files that could not be run. */
export function vitestFailures({ testResults }: VitestReport): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = path.relative(ROOT, name);
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (failed.length === 0) return status === "failed" ? [named(file, "", message)] : [];
    return failed.map(({ fullName, failureMessages }) => named(file, fullName, failureMessages?.[0]));
  });
}

/** The tests of a Playwright report that failed, or passed only when they were repeated. */
export function playwrightFailures({ suites, errors }: PlaywrightReport): string[] {
  const inSuite = ({ specs, suites: inner = [] }: PlaywrightSuite): string[] => [
    ...specs.flatMap(({ title, file, line, tests }) =>
      tests
        .filter(({ status }) => status === "unexpected" || status === "flaky")
        .map(({ results }) => named(`e2e/${file}:${line}`, title, results.flatMap((one) => one.errors)[0]?.message)),
    ),
    ...inner.flatMap(inSuite),
  ];
  return [...errors.map(({ message }) => named("e2e", "", message)), ...suites.flatMap(inSuite)];
}

/** The tests that `forge test` printed as failed. It prints each twice: beside its suite, and at the end. */
export function forgeFailures(stdout: string): string[] {
  const lines = stdout.replace(COLOUR, "").matchAll(/^\[FAIL.*$/gm);
  return [...new Set([...lines].map(([line]) => line.replace(/ \((runs|gas):.*$/, "")))];
}
