/*
 * Runs every part of the tests, also after one failed, and ends with `N passed, N failed`. A part that
 * breaks before it can count its tests counts as one failure.
 */
import { PARTS, type PartName } from "./test/parts";

const wanted = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const unknown = wanted.filter((word) => !(word in PARTS));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(", ")}. Parts: ${Object.keys(PARTS).join(", ")}.`);
  process.exit(1);
}
const names = (Object.keys(PARTS) as PartName[]).filter((name) => wanted.length === 0 || wanted.includes(name));

let passed = 0;
let failed = 0;

async function run(name: PartName): Promise<void> {
  console.log(`\n== ${name}`);
  const started = Date.now();
  try {
    const result = await PARTS[name]();
    passed += result.passed;
    failed += result.failed;
    const seconds = Math.round((Date.now() - started) / 1000);
    console.log(`== ${name}: ${result.passed} passed, ${result.failed} failed (${seconds} s)`);
  } catch (error) {
    failed += 1;
    console.error(error instanceof Error ? error.message : error);
    console.log(`== ${name}: could not run`);
  }
}

// Side by side where one leaves a core idle: contracts wait for one compiler; the product that is killed, for its parts
// to start again. It has ports and data of its own, and builds the site that e2e serves next. Fleet and simulation come once
// the site is built, or wait for it.
const steps: PartName[][][] = [[["unit"]], [["circuits", "simulate"], ["contracts", "fleet"], ["kill"]], [["e2e"]]];

async function inTurn(parts: readonly PartName[]): Promise<void> {
  for (const name of parts) if (names.includes(name)) await run(name);
}

for (const step of steps) await Promise.all(step.map(inTurn));
if (passed + failed === 0) failed = 1;
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
