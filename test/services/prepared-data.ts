import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { sleep } from "@/scripts/stack/processes";

/**
 * Fills `data` with what `prepare` makes in an empty folder and stops. Within one run of the tests it is made once and
 * copied from then on, so that a file waits a moment for its services instead of seconds.
 *
 * @param name one word for what is prepared
 * @param prepare makes it in the folder it is given; whatever it started there has to be stopped when it resolves
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
    try {
      await prepare(draft);
      renameSync(draft, ready);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      throw error;
    }
  }
  execFileSync("cp", ["-a", `${ready}/.`, data]);
}

/** One of the test files that run side by side gets to make it. */
function claimed(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
