/*
 * Runs one part of the tests in a process of its own, so that its CPU time is known, and writes its counts to a file:
 *   node scripts/run.mjs scripts/test/part.ts NAME FILE
 */
import { writeFileSync } from "node:fs";
import { cpuSeconds } from "./cpu-seconds";
import { PARTS, type PartName } from "./parts";

/** The contents of the file. */
export interface PartResult {
  passed: number;
  failed: number;
  failures: string[];
  /** CPU seconds of the part and all its processes that have ended; null on systems other than Linux. */
  cpu: number | null;
}

const [name, file = ""] = process.argv.slice(2);
const counts = await PARTS[name as PartName]().catch((error: unknown) => {
  console.error(error);
  const message = error instanceof Error ? error.message : String(error);
  return { passed: 0, failed: 1, failures: [`could not run: ${message}`] };
});
const result: PartResult = { ...counts, cpu: cpuSeconds() };
writeFileSync(file, JSON.stringify(result));
process.exit(0);
