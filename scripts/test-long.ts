/*
 * Runs what takes longer than `npm test` allows, one after the other, even after one has failed. Hours: run it before a
 * release, on a machine with nothing else to do.
 *   npm run test:long                        everything
 *   npm run test:long -- lies kill           only these
 *   npm run test:long -- --record            and figures in docs/figures.md
 * Ends with 1 if one of them failed.
 */
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { ROOT } from "./stack/config";
import { LONG, type LongPart, recordLong } from "./test/long";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { record: { type: "boolean", default: false } },
});
const names = Object.keys(LONG) as LongPart[];
const unknown = positionals.filter((word) => !(word in LONG));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(", ")}. Parts: ${names.join(", ")}.`);
  process.exit(1);
}

/** Runs a part, and returns its last line besides how it ended. */
function run(args: readonly string[]): Promise<{ passed: boolean; last: string }> {
  const child = spawn(process.execPath, ["scripts/run.mjs", ...args], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let tail = "";
  child.stdout.on("data", (chunk: Buffer) => {
    process.stdout.write(chunk);
    tail = (tail + chunk).slice(-2_000);
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ passed: code === 0, last: tail.trim().split("\n").at(-1) ?? "" }));
  });
}

const failed: string[] = [];
for (const name of names.filter((one) => positionals.length === 0 || positionals.includes(one))) {
  const { command, records } = LONG[name];
  console.log(`\n== ${name}`);
  const started = performance.now();
  const { passed, last } = await run([...command, ...(records && values.record ? ["--record"] : [])]);
  const minutes = (performance.now() - started) / 60_000;
  console.log(`== ${name}: ${passed ? "passed" : "failed"} (${minutes.toFixed(1)} min)`);
  if (!passed) failed.push(name);
  if (values.record) recordLong({ name, minutes, passed, last });
}
console.log(failed.length > 0 ? `\nfailed: ${failed.join(", ")}` : "\neverything passed");
process.exit(failed.length > 0 ? 1 : 0);
