import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
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

async function vitest(project: string): Promise<Counts> {
  const { file, read } = report<{ numPassedTests: number; numFailedTests: number }>(`vitest-${project}`);
  const cli = path.join(path.dirname(require.resolve("vitest/package.json")), "vitest.mjs");
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${file}`];
  const { status } = await run(process.execPath, [cli, "run", "--project", project, ...reporters]);
  const { numPassedTests, numFailedTests } = read();
  return counts(numPassedTests, numFailedTests, status);
}

type ForgeReport = Record<string, { test_results: Record<string, { status: string; reason?: string | null }> }>;

async function contracts(): Promise<Counts> {
  const { status, stdout } = await run(
    foundryBinary("forge"),
    ["test", "--json"],
    { CAPTURE: "1" },
    path.join(ROOT, "contracts"),
  );
  const json = stdout.slice(stdout.indexOf("{"));
  if (!json) throw new Error("forge ended without a report");
  let passed = 0;
  let failed = 0;
  for (const [suite, { test_results }] of Object.entries(JSON.parse(json) as ForgeReport)) {
    for (const [test, { status: outcome, reason }] of Object.entries(test_results)) {
      if (outcome === "Success") passed++;
      else {
        failed++;
        console.log(`FAILED ${suite} ${test}: ${reason ?? outcome}`);
      }
    }
  }
  return counts(passed, failed, status);
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

export const PARTS = {
  unit: () => vitest("unit"),
  circuits: () => vitest("circuits"),
  contracts,
  e2e,
} as const;

export type PartName = keyof typeof PARTS;
