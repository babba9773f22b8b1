import { existsSync, mkdirSync, renameSync, rmdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "@playwright/test";
import { packSdk } from "@/test/sdk/install-package";

/**
 * Returns the package that `npm run sdk` builds and packs, once for all workers of a run. It is below the clone, so that
 * it finds the dependencies.
 */
export async function packedSdk(): Promise<string> {
  // Playwright empties this folder before each run.
  const folder = path.join(test.info().project.outputDir, "packed-sdk");
  const lock = `${folder}.lock`;
  while (!existsSync(folder)) {
    try {
      mkdirSync(lock);
    } catch {
      await sleep(100);
      continue;
    }
    try {
      if (existsSync(folder)) break;
      const draft = `${folder}.${process.pid}`;
      await packSdk(draft);
      // Renamed into place, so that the package is always complete.
      renameSync(draft, folder);
    } finally {
      rmdirSync(lock);
    }
  }
  return folder;
}
