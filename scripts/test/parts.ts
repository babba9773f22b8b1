import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { PRODUCT } from "../contracts/artifacts";
import { SHORT_RUN } from "../simulate/short-run";
import { foundryBinary } from "../stack/binaries";
import { ROOT } from "../stack/config";
import { failuresOf } from "./checked-run";
import { forgeFailures, type PlaywrightReport, pagesOfFailures, playwrightFailures } from "./failures";
import { withProduct } from "./product";
import type { VitestReport } from "./vitest-report";

export interface Counts {
  passed: number;
  failed: number;
  /** The tests that failed, as one finds them in the code: `file: name: first line of the error`. */
  failures: string[];
}

const require = createRequire(import.meta.url);
const REPORTS = path.join(ROOT, ".halcyon", "test-reports");

interface RunResult {
  status: number | null;
  stdout: string;
}

function run(command: string, args: string[], env: Record<string, string> = {}, cwd = ROOT): Promise<RunResult> {
  const quiet = env.CAPTURE === "1";
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", quiet ? "pipe" : "inherit", "inherit"],
    });
    let stdout = "";
    child.stdout?.on("data", (chunk) => {
      stdout += chunk;
    });
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, stdout }));
  });
}

function report<T>(name: string): { file: string; read: () => T } {
  mkdirSync(REPORTS, { recursive: true });
  const file = path.join(REPORTS, `${name}.json`);
  rmSync(file, { force: true });
  const read = () => {
    if (!existsSync(file)) throw new Error(`${name} ended without a report`);
    return JSON.parse(readFileSync(file, "utf8")) as T;
  };
  return { file, read };
}

/** A runner that fails although no test did (a broken import, an unhandled error) counts as one failure. */
function counts(passed: number, failures: string[], status: number | null): Counts {
  const all = failures.length === 0 && status !== 0 ? [`the runner ended with ${status}`] : failures;
  return { passed, failed: all.length, failures: all };
}

async function vitest(part: string, ...projects: string[]): Promise<Counts> {
  const { file, read } = report<VitestReport>(`vitest-${part}`);
  const cli = path.join(path.dirname(require.resolve("vitest/package.json")), "vitest.mjs");
  const reporters = ["--reporter=minimal", "--reporter=./scripts/test/vitest-report.ts"];
  const chosen = [part, ...projects].flatMap((name) => ["--project", name]);
  const { status } = await run(process.execPath, [cli, "run", ...chosen, ...reporters], {
    HALCYON_TEST_REPORT: file,
    HALCYON_TEST_PART: part,
    HALCYON_TEST_MANY_FILES: part === "integration" ? "1" : "",
  });
  const { passed, failures } = read();
  return counts(passed, failures, status);
}

/**
 * Runs the Solidity tests with their gas snapshots (which `forge test --json` leaves out), and checks that generated
 * files are current.
 */
async function contracts(): Promise<Counts> {
  const generated = await run(process.execPath, ["scripts/run.mjs", "scripts/build-contracts.ts", "--check"]);
  const current = generated.status === 0;
  // Store fuzzing failures with forge's other caches, not in a top-level folder.
  const found = Object.fromEntries(
    ["FUZZ", "INVARIANT"].map((kind) => [
      `FOUNDRY_${kind}_FAILURE_PERSIST_DIR`,
      `contracts/cache/${kind.toLowerCase()}`,
    ]),
  );
  // The tests run against the contracts that were just compiled and compared; only the tests are compiled here.
  const env = { CAPTURE: "1", FOUNDRY_CONFIG: "contracts/foundry.toml", ...PRODUCT, ...found };
  const { status, stdout } = await run(foundryBinary("forge"), ["test"], env);
  let passed = 0;
  for (const [, good] of stdout.matchAll(/^Suite result: .*?(\d+) passed; \d+ failed/gm)) passed += Number(good);
  if (status !== 0 || passed === 0) console.log(stdout);
  const failures = forgeFailures(stdout);
  // Gas that differs from its snapshot fails the run, and no test.
  if (status !== 0 && failures.length === 0) failures.push(`forge: ${stdout.trim().split("\n").slice(-3).join(" ")}`);
  const tests = counts(passed, failures, passed === 0 ? 1 : status);
  if (current) return { ...tests, passed: tests.passed + 1 };
  tests.failures.push("generated files of the contracts are not current");
  return { ...tests, failed: tests.failures.length };
}

/**
 * Runs the tests of the circuits, after the check that the committed keys and verifiers belong to the sources.
 * `npm run test:long -- keys` computes each point of the keys again.
 */
async function circuits(): Promise<Counts> {
  const check = ["scripts/run.mjs", "scripts/build-circuits.ts", "--check", "--quick"];
  const current = (await run(process.execPath, check)).status === 0;
  const tests = await vitest("circuits");
  const failures = current ? tests.failures : [...tests.failures, "the circuits' files do not match their sources"];
  return { passed: tests.passed + (current ? 1 : 0), failed: failures.length, failures };
}

async function e2e(): Promise<Counts> {
  return withProduct(async (env) => {
    const { file, read } = report<PlaywrightReport>("playwright");
    const cli = path.join(path.dirname(require.resolve("@playwright/test/package.json")), "cli.js");
    const { status } = await run(
      process.execPath,
      [cli, "test", "--reporter=./scripts/test/playwright-report.ts,json"],
      {
        ...env,
        PLAYWRIGHT_JSON_OUTPUT_FILE: file,
      },
    );
    const result = read();
    for (const page of pagesOfFailures(result, (one) => readFileSync(one, "utf8"))) console.log(`\n${page}`);
    return counts(result.stats.expected, playwrightFailures(result), status);
  });
}

/** Runs a script that counts as one test, because its checks only make sense together. */
async function checked(name: string, ...args: string[]): Promise<Counts> {
  const { file, read } = report<string[]>(name);
  const command = ["scripts/run.mjs", `scripts/${name}.ts`, ...args];
  const { status } = await run(process.execPath, command, { HALCYON_TEST_REPORT: file });
  return counts(status === 0 ? 1 : 0, existsSync(file) ? failuresOf(read()) : [], status);
}

/** Kills each process once while people pay. */
const kill = () => checked("kill");

/** A short simulation with a fixed seed. */
const simulate = () => checked("simulate", "--seed", String(SHORT_RUN.seed), "--steps", String(SHORT_RUN.steps));

export const PARTS = {
  unit: () => vitest("unit", "mocking"),
  integration: () => vitest("integration", "together", "shared"),
  circuits,
  contracts,
  e2e,
  fleet: () => vitest("fleet"),
  kill,
  simulate,
} as const;

export type PartName = keyof typeof PARTS;
