import { mkdtempSync, readdirSync } from "node:fs";
import path from "node:path";
import { removeFolder } from "@/scripts/stack/files";
import { endLeftovers } from "@/scripts/stack/processes";

/** Names the folder of the services that each process starts once for its files; unset where each file has its own. */
export const TOGETHER = "HALCYON_TEST_TOGETHER";

/**
 * Vitest's global set-up: where files run together, a process's services outlive each of its files, and end with the
 * run. No process knows which of its files is the last.
 */
export default function filesTogether(): () => Promise<void> {
  const folder = mkdtempSync("/tmp/halcyon-together-");
  process.env[TOGETHER] = folder;
  return async () => {
    const chains = readdirSync(folder).flatMap((data) =>
      readdirSync(path.join(folder, data)).map((chain) => path.join(folder, data, chain)),
    );
    await Promise.all(chains.map(endLeftovers));
    removeFolder(folder);
  };
}
