import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { ArtifactSource } from "./prover";

/**
 * The repository's root: HALCYON_ROOT when set, else the nearest folder from the working directory upwards that holds
 * the circuits' artefacts. Bundlers move modules, so a module's own address would not do.
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

/** The committed artefacts under circuits/artifacts. */
export function artifactFiles(root: string): ArtifactSource {
  return { read: async (file) => new Uint8Array(await readFile(join(root, "circuits", "artifacts", file))) };
}
