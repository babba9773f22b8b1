import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import type { FuzzResult } from "../../scripts/fuzz/run";
import { expect, productURL, test } from "./fixtures";

const ROOT = path.resolve(import.meta.dirname, "../..");
const run = promisify(execFile);
/** About 6 per operation. With this seed they found every known cause of a 500. */
const REQUESTS = 700;

test("made-up requests of everyone to every operation get documented responses, never a 5xx, and no foreign data", async () => {
  const options = ["--url", productURL, "--seed", "13", "--requests", String(REQUESTS), "--json"];
  const { stdout } = await run(process.execPath, ["scripts/run.mjs", "scripts/fuzz.ts", ...options], {
    cwd: ROOT,
    maxBuffer: 1 << 26,
    // The program exits with 1 if a response was wrong. The result says which.
  }).catch((ended: { stdout: string; stderr: string }) => {
    if (ended.stdout) return ended;
    throw new Error(ended.stderr);
  });
  const { faults, requests, operations } = JSON.parse(stdout) as FuzzResult;
  expect(faults).toEqual([]);
  expect(requests).toBe(REQUESTS);
  expect(operations).toBeGreaterThan(90);
});
