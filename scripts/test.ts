/*
 * Runs every part of the tests, even after one has failed, and ends with the names of those that failed and
 * `N passed, N failed`. A part that breaks before it can count its tests counts as one failure.
 */
import { PARTS, type PartName } from "./test/parts";
import { runPart } from "./test/run-part";

const wanted = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const unknown = wanted.filter((word) => !(word in PARTS));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(", ")}. Parts: ${Object.keys(PARTS).join(", ")}.`);
  process.exit(1);
}
const names = (Object.keys(PARTS) as PartName[]).filter((name) => wanted.length === 0 || wanted.includes(name));

let passed = 0;
let failed = 0;
const failures: string[] = [];
const cpu: string[] = [];

async function run(name: PartName): Promise<void> {
  console.log(`\n== ${name}`);
  const started = Date.now();
  const result = await runPart(name);
  const seconds = Math.round((Date.now() - started) / 1000);
  if (!result) {
    failed += 1;
    failures.push(`${name}: could not run`);
    console.log(`== ${name}: could not run (${seconds} s)`);
    return;
  }
  passed += result.passed;
  failed += result.failed;
  failures.push(...result.failures.map((failure) => `${name}: ${failure}`));
  const spent = result.cpu === null ? "" : `, ${Math.round(result.cpu)} s of CPU`;
  if (result.cpu !== null) cpu.push(`${name} ${Math.round(result.cpu)}`);
  console.log(`== ${name}: ${result.passed} passed, ${result.failed} failed (${seconds} s${spent})`);
}

// What is cheap comes first. Two parts run beside each other where one leaves a core idle: the kill test, which builds
// the site for the parts after it, waits for its processes to restart, and e2e for chains and pages. A third would only
// make every test slower (docs/figures.md). The contracts run where two lines take about as long. Each product has its
// own ports and data.
const steps: PartName[][][] = [
  [
    ["unit", "integration"],
    ["kill", "contracts"],
  ],
  [["e2e"], ["circuits", "fleet", "simulate"]],
];

async function inTurn(parts: readonly PartName[]): Promise<void> {
  for (const part of parts) if (names.includes(part)) await run(part);
}

for (const step of steps) await Promise.all(step.map(inTurn));
if (passed + failed === 0) failed = 1;
if (cpu.length > 0) console.log(`\nCPU seconds: ${cpu.join(", ")}`);
if (failures.length > 0) console.log(`\n${failures.map((failure) => `failed: ${failure}`).join("\n")}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
