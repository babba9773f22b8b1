import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, rename } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import type { CircuitName } from "./circuits.ts";
import { type Compiled, compileConstraints, constraintsIn } from "./compile.ts";
import { compilerVersion, hashSources } from "./manifest.ts";
import { ROOT } from "./paths.ts";

/** A folder for what these very sources compile to, by these versions of compiler and library. */
async function keptFolder(): Promise<string> {
  const { version } = createRequire(import.meta.url)("circomlib/package.json");
  const text = JSON.stringify([compilerVersion(), version, await hashSources()]);
  return join(ROOT, ".cache", "circuits", createHash("sha256").update(text).digest("hex"));
}

/** Keeps the constraints and signal names of freshly compiled circuits for the tests that follow. */
export async function keepConstraints(compiled: Record<CircuitName, Compiled>): Promise<void> {
  const folder = await keptFolder();
  if (existsSync(folder)) return;
  const draft = `${folder}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  const files = Object.values(compiled).flatMap(({ r1cs, sym }) => [r1cs, sym]);
  await Promise.all(files.map((file) => copyFile(file, join(draft, basename(file)))));
  await rename(draft, folder);
}

/**
 * The constraints and signal names of a circuit as proved with: those `npm run circuits -- --check` compiled of the same
 * sources, else compiled now.
 *
 * @param outputDir folder for the results when they are not there yet
 */
export async function optimisedConstraints(name: CircuitName, outputDir: string) {
  const kept = constraintsIn(await keptFolder(), name);
  return existsSync(kept.sym) ? kept : compileConstraints(name, outputDir, "O2");
}
