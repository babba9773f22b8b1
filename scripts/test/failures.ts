/*
 * Names the tests that failed, from the runners' reports. They are printed once more at the end of a run: what comes
 * before them is long, and where only its end is kept, a count alone says nothing.
 */
interface PlaywrightResult {
  errors: { message: string }[];
  /** Playwright describes the failure and the page in one called `error-context`. */
  attachments?: { name: string; path?: string }[];
}

interface PlaywrightSuite {
  specs: {
    title: string;
    file: string;
    line: number;
    tests: { status: string; results: PlaywrightResult[] }[];
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

/** Returns a failure in one line: where it was, its name if it has one, and the first line of each error, without colours. */
export function named(where: string, name: string, ...messages: (string | undefined)[]): string {
  const lines = messages.map((message = "") => message.replace(COLOUR, "").trim().split("\n", 1)[0]?.slice(0, 600));
  return [where, name, lines.filter(Boolean).join("; ")].filter(Boolean).join(": ");
}

interface FailedTest {
  where: string;
  title: string;
  results: PlaywrightResult[];
}

/** The tests of a Playwright report that failed, or passed only when they were repeated. */
function failedTests({ specs, suites = [] }: PlaywrightSuite): FailedTest[] {
  return [
    ...specs.flatMap(({ title, file, line, tests }) =>
      tests
        .filter(({ status }) => status === "unexpected" || status === "flaky")
        .map(({ results }) => ({ where: `e2e/${file}:${line}`, title, results })),
    ),
    ...suites.flatMap(failedTests),
  ];
}

/** What an assertion of Playwright waited for and what it saw stand below the first line of its error. */
const SEEN = /^(Locator|Expected|Received|Error)\b.*:/;

/** Returns an error of Playwright in one line: what failed, and what was expected where and was seen instead. */
function inOneLine({ message }: { message: string }): string {
  const [first = "", ...lines] = message.replace(COLOUR, "").trim().split("\n");
  return [first, ...lines.filter((line) => SEEN.test(line)).map((line) => line.replace(/\s+/g, " "))].join(", ");
}

/** The failures of a Playwright report, each in one line. */
export function playwrightFailures({ suites, errors }: PlaywrightReport): string[] {
  const failed = suites.flatMap(failedTests);
  return [
    ...errors.map(({ message }) => named("e2e", "", message)),
    // A test that ran out of time has two errors: the second says which step waited.
    ...failed.map(({ where, title, results }) =>
      named(where, title, ...results.flatMap(({ errors }) => errors.map(inOneLine))),
    ),
  ];
}

/**
 * Returns what was on the pages of failed browser tests, as Playwright described them: the error often says only that
 * something was not there in time, and a run elsewhere leaves no files to look at. An assertion's error has its page
 * beside it; of other errors, the page follows under a heading of its own.
 *
 * @param read returns the text of a file
 */
export function pagesOfFailures({ suites }: PlaywrightReport, read: (file: string) => string): string[] {
  return suites.flatMap(failedTests).flatMap(({ where, results }) =>
    results.flatMap(({ attachments = [] }) =>
      attachments.flatMap(({ name, path }) => {
        if (name !== "error-context" || !path) return [];
        const snapshot = /^```yaml\n(.*?)\n```/ms.exec(read(path))?.[1];
        return snapshot ? [`The page of ${where} when it failed:\n${snapshot}`] : [];
      }),
    ),
  );
}

/** The tests that `forge test` printed as failed. It prints each twice: beside its suite, and at the end. */
export function forgeFailures(stdout: string): string[] {
  const lines = stdout.replace(COLOUR, "").matchAll(/^\[FAIL.*$/gm);
  return [...new Set([...lines].map(([line]) => line.replace(/ \((runs|gas):.*$/, "")))];
}
