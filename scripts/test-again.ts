/*
 * Runs a part of the tests several times and says which tests failed in how many of the runs: what fails only in some
 * fails by chance.
 *   npm run test:again -- --times 5 e2e
 * Ends with 1 if a test failed.
 */
import { parseArgs } from "node:util";
import { PARTS, type PartName } from "./test/parts";
import { runPart } from "./test/run-part";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: "string", default: "5" } },
});
const [part = ""] = positionals;
const times = Number(values.times);
if (positionals.length !== 1 || !(part in PARTS) || !Number.isInteger(times) || times < 1) {
  console.error(`usage: npm run test:again -- --times N PART, with one part of: ${Object.keys(PARTS).join(", ")}`);
  process.exit(1);
}

const failedRuns = new Map<string, number>();
for (let run = 1; run <= times; run++) {
  const result = await runPart(part as PartName);
  const failures = result?.failures ?? ["could not run"];
  for (const failure of failures) failedRuns.set(failure, (failedRuns.get(failure) ?? 0) + 1);
  console.log(`== ${part}, run ${run} of ${times}: ${result?.passed ?? 0} passed, ${failures.length} failed`);
}
for (const [failure, runs] of failedRuns) console.log(`failed in ${runs} of ${times} runs: ${failure}`);
if (failedRuns.size === 0) console.log(`no test failed in ${times} runs`);
process.exit(failedRuns.size > 0 ? 1 : 0);
