import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmdirSync } from "node:fs";
import path from "node:path";
import { removeFolder } from "@/scripts/stack/files";
import { sleep } from "@/scripts/stack/processes";

/**
 * Fills `data` with what `prepare` creates in an empty folder. Within a test run this happens once and is copied from
 * then on, so that a file waits a moment for its services instead of seconds.
 *
 * @param name a word for what is prepared
 * @param prepare creates the data in the given folder; must have stopped everything it started when it resolves
 */
export async function copyPrepared(
  name: string,
  data: string,
  prepare: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = process.env.HALCYON_TEST_PREPARED; // set by prepared-folder.ts
  if (!folder) return prepare(data);
  const ready = path.join(folder, name);
  while (!existsSync(ready)) {
    const draft = `${ready}.draft`;
    if (!claimed(draft)) {
      await sleep(50);
      continue;
    }
    // Another file may have finished since the look above: its draft was renamed, which made room for this one.
    if (existsSync(ready)) {
      rmdirSync(draft);
      break;
    }
    try {
      await prepare(draft);
      renameSync(draft, ready);
    } catch (error) {
      removeFolder(draft);
      throw error;
    }
  }
  execFileSync("cp", ["-a", `${ready}/.`, data]);
}

/** Returns whether this test file is the one that prepares the data, of those that run concurrently. */
function claimed(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
