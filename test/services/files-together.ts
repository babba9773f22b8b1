import { mkdtempSync, readdirSync } from "node:fs";
import path from "node:path";
import { removeFolder } from "@/scripts/stack/files";
import { endLeftovers } from "@/scripts/stack/processes";

/** Names the folder of the services that each process starts once for its files. */
const FOLDER = "HALCYON_TEST_TOGETHER";

/** Returns that folder; undefined in a project whose files have services of their own. */
export function folderOfProcesses(): string | undefined {
  // Vitest's set-up changes the environment of all projects, and only `env` of a project that of its own processes.
  return process.env.HALCYON_TEST_IN_TURN ? process.env[FOLDER] : undefined;
}

/**
 * Vitest's global set-up: where files run together, a process's services outlive each of its files, and end with the
 * run. No process knows which of its files is the last.
 */
export default function filesTogether(): () => Promise<void> {
  const folder = mkdtempSync("/tmp/halcyon-together-");
  process.env[FOLDER] = folder;
  return async () => {
    const chains = readdirSync(folder).flatMap((data) =>
      readdirSync(path.join(folder, data)).map((chain) => path.join(folder, data, chain)),
    );
    await Promise.all(chains.map(endLeftovers));
    removeFolder(folder);
  };
}
