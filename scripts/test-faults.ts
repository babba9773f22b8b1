/*
 * Plants one-line faults that a seed chooses, one after another, in a copy of the committed sources, and says which
 * tests catch each:
 *   npm run test:faults -- --faults 12 --seed 1 --save faults.json
 *   npm run test:faults -- --again faults.json
 * The second plants the same faults again, wherever their lines stand now, and fails if one that was caught no longer
 * is. For a screen the component tests that load it are tried; otherwise the tests that stand nearest, unit tests before
 * integration tests, of which only until one fails. So a fault that is not caught here may be caught by another test, in
 * a browser for example. A test that also fails without the fault, or because
 * of what it alone notices (a generated file is not current), catches nothing.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "./stack/config";
import { removeFolder } from "./stack/files";
import type { PartResult } from "./test/part";
import {
  AREAS,
  type Area,
  chooseFaults,
  type Fault,
  faultsOf,
  movedFault,
  nearest,
  withFault,
} from "./test/planted-faults";
import type { VitestReport } from "./test/vitest-report";

/** How many of the nearest test files are tried for a fault. */
const NEAREST = { unit: 12, integration: 5, circuits: 2 };
const UNIT = ["unit", "mocking"];
const INTEGRATION = ["integration", "together", "shared"];

/** What became of a fault. */
interface Outcome extends Fault {
  /** Where the tests that failed stand, and their names; empty if none did. */
  caughtBy: string[];
}

const { values } = parseArgs({
  options: {
    seed: {
      type: "string",
      default: execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim(),
    },
    faults: { type: "string", default: "12" },
    area: { type: "string", multiple: true, default: Object.keys(AREAS) },
    save: { type: "string" },
    again: { type: "string" },
  },
});
const copy = mkdtempSync(path.join(tmpdir(), "halcyon-faults-"));
process.once("exit", () => removeFolder(copy));
process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));
execFileSync("git", ["clone", "--quiet", "--shared", ROOT, copy]);
symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"));
const files = execFileSync("git", ["ls-files"], { cwd: copy, encoding: "utf8", maxBuffer: 1 << 28 }).split("\n");
const read = (file: string) => readFileSync(path.join(copy, file), "utf8");

async function run(args: string[], env: Record<string, string> = {}): Promise<void> {
  const options = { cwd: copy, env: { ...process.env, ...env }, stdio: "ignore" as const };
  await once(spawn(process.execPath, args, options), "close");
}

/** Runs tests, by default all that are named. Returns what failed. */
async function vitest(
  projects: readonly string[],
  tests: readonly string[],
  options: readonly string[] = ["run"],
): Promise<string[]> {
  if (tests.length === 0) return [];
  const report = path.join(copy, ".cache-report.json");
  rmSync(report, { force: true });
  const chosen = projects.flatMap((name) => ["--project", name]);
  const [command = "run", ...more] = options;
  const reporter = "--reporter=./scripts/test/vitest-report.ts";
  await run(["node_modules/vitest/vitest.mjs", command, reporter, ...more, ...chosen, ...tests], {
    HALCYON_TEST_REPORT: report,
  });
  if (!existsSync(report)) return [`${tests[0]}: the runner broke`];
  return (JSON.parse(readFileSync(report, "utf8")) as VitestReport).failures;
}

async function contracts(): Promise<string[]> {
  const file = path.join(copy, ".cache-part.json");
  await run(["scripts/run.mjs", "scripts/test/part.ts", "contracts", file]);
  const { failures } = JSON.parse(readFileSync(file, "utf8")) as PartResult;
  return failures.filter((failure) => !failure.startsWith("generated files"));
}

/** Returns the tests of the circuits that a template is part of. */
function testsOfTemplate(file: string): string[] {
  const includes = (one: string): string[] =>
    [...read(one).matchAll(/include "([^"]+)"/g)].map(([, name = ""]) => path.join(path.dirname(one), name));
  const all = (one: string): string[] => [
    one,
    ...includes(one)
      .filter((each) => files.includes(each))
      .flatMap(all),
  ];
  const circuits = readdirSync(path.join(copy, "circuits/main")).filter((main) =>
    all(path.join("circuits/main", main)).includes(file),
  );
  const own = circuits.filter((main) => main === path.basename(file));
  return [...own, ...circuits.filter((main) => !own.includes(main))]
    .map((main) => `circuits/test/${main.replace(".circom", ".test.ts")}`)
    .filter((test) => files.includes(test))
    .slice(0, NEAREST.circuits);
}

/** The steps in which a fault's tests are tried, the cheap ones first. Each returns what failed. */
function stepsFor({ area, file }: Fault): (() => Promise<string[]>)[] {
  if (area === "contracts") return [contracts];
  if (area === "circuits") return [() => vitest(["circuits"], testsOfTemplate(file))];
  if (area === "screens") return [() => vitest(UNIT, [file], ["related", "--run"])];
  const room = file.split("/", 2).join("/");
  const tests = nearest(
    file,
    files.filter((one) => one.startsWith(`${room}/`) && /\.test\.tsx?$/.test(one)),
  );
  const integration = tests.filter((one) => one.includes(".integration."));
  const unit = tests.filter((one) => !integration.includes(one));
  return [
    () => vitest(UNIT, unit.slice(0, NEAREST.unit)),
    () => vitest(INTEGRATION, integration.slice(0, NEAREST.integration), ["run", "--bail=1"]),
  ];
}

/** Plants a fault, tries its tests, and takes it out again. */
async function tryFault(fault: Fault): Promise<string[]> {
  const sound = read(fault.file);
  const plant = (source: string) => writeFileSync(path.join(copy, fault.file), source);
  for (const step of stepsFor(fault)) {
    plant(withFault(sound, fault));
    const failures = await step();
    plant(sound);
    if (failures.length === 0) continue;
    const usual = await step();
    const caught = failures.filter((failure) => !usual.includes(failure));
    if (caught.length > 0) return caught;
    console.log(`  fails without the fault too: ${usual[0]}`);
  }
  return [];
}

function chosen(): Fault[] {
  const areas = values.area.filter((area): area is Area => area in AREAS);
  const count = Number(values.faults);
  return areas.flatMap((area, at) => {
    const sources = files.filter((file) => AREAS[area].test(file));
    const all = sources.flatMap((file) => faultsOf(area, file, read(file)));
    const share = Math.floor(count / areas.length) + (at < count % areas.length ? 1 : 0);
    return chooseFaults(all, values.seed, share);
  });
}

const earlier = values.again ? (JSON.parse(readFileSync(values.again, "utf8")) as Outcome[]) : undefined;
const outcomes: Outcome[] = [];
const lost: string[] = [];
for (const fault of earlier ?? chosen()) {
  const { area, file, before, after } = fault;
  const what = `${area}: ${before.trim()} -> ${after.trim() || "(nothing)"}`;
  const now = earlier ? (files.includes(file) ? movedFault(read(file), fault) : undefined) : fault;
  if (!now) {
    console.log(`no longer there: ${file}: ${what}`);
    continue;
  }
  const started = performance.now();
  const caughtBy = await tryFault(now);
  const seconds = Math.round((performance.now() - started) / 1000);
  outcomes.push({ ...now, caughtBy });
  const others = caughtBy.length > 1 ? ` and ${caughtBy.length - 1} more` : "";
  const result = caughtBy.length > 0 ? `caught by ${caughtBy[0]}${others}` : "not caught by the tests near it";
  console.log(`${file}:${now.line}: ${what}\n  ${result} (${seconds} s)`);
  const was = (earlier?.find((one) => one === fault)?.caughtBy.length ?? 0) > 0;
  if (was && caughtBy.length === 0) lost.push(`${file}:${now.line}: ${what}`);
  if (values.save) writeFileSync(values.save, `${JSON.stringify(outcomes, null, 2)}\n`);
}
const caught = outcomes.filter(({ caughtBy }) => caughtBy.length > 0).length;
for (const one of lost) console.log(`was caught before: ${one}`);
console.log(`seed ${values.seed}: ${caught} of ${outcomes.length} faults were caught by the tests near them`);
process.exit(lost.length > 0 ? 1 : 0);
