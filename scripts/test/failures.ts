/*
 * Names the tests that failed, from the runners' reports. They are printed once more at the end of a run: what comes
 * before them is long, and where only its end is kept, a count alone says nothing.
 */
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

/** Returns a failure in one line: where it was, its name if it has one, and the first line of the error, without colours. */
export function named(where: string, name: string, message: string | undefined): string {
  const [first = ""] = (message ?? "").replace(COLOUR, "").trim().split("\n");
  return [where, name, first.slice(0, 300)].filter(Boolean).join(": ");
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
