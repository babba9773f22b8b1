/*
 * The product under everything that can happen to it, and what everyone sees afterwards.
 *   npm run simulate                               two minutes of a seed chosen at random
 *   npm run simulate -- --seed 7 --minutes 30      longer
 *   npm run simulate -- --seed 7 --steps 120       so many steps, however long they take
 *   npm run simulate -- --seed 7 --record          and a row in docs/figures.md
 * The seed decides what is asked for and what fails, in which order. Ends with 1 when a promise was broken.
 */
import { parseArgs } from "node:util";
import { recordRun } from "./simulate/record";
import { simulate } from "./simulate/run";
import { StackError } from "./stack/config";
import { reportWrong } from "./test/checked-run";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    minutes: { type: "string" },
    steps: { type: "string" },
    record: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const steps = values.steps === undefined ? undefined : Number(values.steps);
const minutes = steps === undefined ? Number(values.minutes ?? 2) : undefined;
if (!Number.isSafeInteger(seed) || !((steps ?? minutes ?? 0) > 0)) {
  console.error("usage: npm run simulate -- [--seed N] [--minutes M | --steps K] [--record]");
  process.exit(2);
}

// The run moves this process's clock.
const day = new Date().toISOString().slice(0, 10);
const started = performance.now();
const say = (line: string) =>
  console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}`);
const result = await simulate({ seed, steps, minutes, say }).catch((error: unknown) => {
  if (!(error instanceof StackError)) throw error;
  reportWrong([error.message]);
  process.exit(1);
});
const { payments, kills, transfers, events, done, errors, wrong } = result;
const asked = `${result.steps} steps, ${payments} payments asked for, ${kills} kills`;
console.log(`\nseed ${seed}: ${asked}, ${transfers} transfers, ${events} events in ${result.seconds} s`);
const { blind } = result;
console.log(
  `with blind keys: ${blind.requests} requests, ${blind.together} of two processes at once, ${blind.kills} proxies killed`,
);
console.log(`what was done: ${JSON.stringify(done)}`);
console.log(`errors that clients were given: ${JSON.stringify(errors)}`);
reportWrong(wrong);
if (wrong.length > 0) console.error(`\nAgain: npm run simulate -- --seed ${seed} --steps ${result.steps}`);
if (values.record) recordRun(day, result);
process.exit(wrong.length > 0 ? 1 : 0);
