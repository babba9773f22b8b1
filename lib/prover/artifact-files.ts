import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { ArtifactSource } from "./prover";

/**
 * Returns the repository's root: HALCYON_ROOT if set, else the nearest folder from the working directory upwards that
 * contains the circuits' artifacts. A module's own path would not do, because bundlers move modules.
 */
export function repositoryRoot(): string {
  if (process.env.HALCYON_ROOT) return resolve(process.env.HALCYON_ROOT);
  let folder = process.cwd();
  while (!existsSync(join(folder, "circuits", "artifacts"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error("No circuits/artifacts above the working directory: set HALCYON_ROOT.");
    folder = parent;
  }
  return folder;
}

/** Returns a source that reads the committed artifacts in circuits/artifacts. */
export function artifactFiles(root: string): ArtifactSource {
  return { read: async (file) => new Uint8Array(await readFile(join(root, "circuits", "artifacts", file))) };
}
