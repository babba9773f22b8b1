import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { PRODUCT } from "../contracts/artifacts";
import { foundryBinary } from "../stack/binaries";
import { ROOT } from "../stack/config";
import { withProduct } from "./product";

export interface Counts {
  passed: number;
  failed: number;
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

/** A runner that fails though no test did (a broken import, an unhandled error) counts as one failure. */
function counts(passed: number, failed: number, status: number | null): Counts {
  return { passed, failed: failed === 0 && status !== 0 ? 1 : failed };
}

async function vitest(...projects: string[]): Promise<Counts> {
  const { file, read } = report<{ numPassedTests: number; numFailedTests: number }>(`vitest-${projects[0]}`);
  const cli = path.join(path.dirname(require.resolve("vitest/package.json")), "vitest.mjs");
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${file}`];
  const { status } = await run(process.execPath, [
    cli,
    "run",
    ...projects.flatMap((name) => ["--project", name]),
    ...reporters,
  ]);
  const { numPassedTests, numFailedTests } = read();
  return counts(numPassedTests, numFailedTests, status);
}

/**
 * The Solidity tests with their gas snapshots (which `forge test --json` leaves out), and that what is generated is
 * current.
 */
async function contracts(): Promise<Counts> {
  const generated = await run(process.execPath, ["scripts/run.mjs", "scripts/build-contracts.ts", "--check"]);
  const current = generated.status === 0;
  // What fuzzing finds is kept beside forge's other caches, not in a folder at the top.
  const found = Object.fromEntries(
    ["FUZZ", "INVARIANT"].map((kind) => [
      `FOUNDRY_${kind}_FAILURE_PERSIST_DIR`,
      `contracts/cache/${kind.toLowerCase()}`,
    ]),
  );
  // The very contracts that were just compiled and compared are tested; the tests alone are compiled here.
  const env = { CAPTURE: "1", FOUNDRY_CONFIG: "contracts/foundry.toml", ...PRODUCT, ...found };
  const { status, stdout } = await run(foundryBinary("forge"), ["test"], env);
  let passed = 0;
  let failed = 0;
  for (const [, good, bad] of stdout.matchAll(/^Suite result: .*?(\d+) passed; (\d+) failed/gm)) {
    passed += Number(good);
    failed += Number(bad);
  }
  if (status !== 0 || passed === 0) console.log(stdout);
  const tests = counts(passed, failed, passed === 0 ? 1 : status);
  return { passed: tests.passed + (current ? 1 : 0), failed: tests.failed + (current ? 0 : 1) };
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number };
}

async function e2e(): Promise<Counts> {
  return withProduct(async (env) => {
    const { file, read } = report<PlaywrightReport>("playwright");
    const cli = path.join(path.dirname(require.resolve("@playwright/test/package.json")), "cli.js");
    const { status } = await run(process.execPath, [cli, "test", "--reporter=line,json"], {
      ...env,
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    });
    const { expected, unexpected, flaky } = read().stats;
    return counts(expected, unexpected + flaky, status);
  });
}

/** Each process killed once while people pay: one test, for what it looks at only holds together. */
async function kill(): Promise<Counts> {
  const { status } = await run(process.execPath, ["scripts/run.mjs", "scripts/kill.ts"]);
  return counts(status === 0 ? 1 : 0, 0, status);
}

/** A short run of one seed, which has each kind of step: one test, as above. */
async function simulate(): Promise<Counts> {
  const args = ["scripts/run.mjs", "scripts/simulate.ts", "--seed", "4", "--steps", "60"];
  const { status } = await run(process.execPath, args);
  return counts(status === 0 ? 1 : 0, 0, status);
}

export const PARTS = {
  unit: () => vitest("unit", "integration", "shared"),
  circuits: () => vitest("circuits"),
  contracts,
  e2e,
  fleet: () => vitest("fleet"),
  kill,
  simulate,
} as const;

export type PartName = keyof typeof PARTS;
