import { join } from "node:path";
import type { BuildOptions } from "esbuild";

/** esbuild's options for a worker of the prover: one self-contained script. */
export function workerBuild(root: string, entry: string): BuildOptions & { write: false } {
  return {
    absWorkingDir: root,
    entryPoints: [join(root, "lib", "prover", entry)],
    tsconfig: join(root, "tsconfig.json"),
    alias: { "web-worker": join(root, "lib", "prover", "no-web-worker.ts") },
    bundle: true,
    write: false,
    minify: true,
    legalComments: "eof",
    target: "es2022",
    logLevel: "silent",
  };
}

/**
 * The server's worker as one CommonJS script. Made from source at start (a tenth of a second), so that it is the same
 * under tsx, Vitest and Next's bundles, and never out of date.
 */
export async function nodeWorkerSource(root: string): Promise<string> {
  const { build } = await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ "esbuild");
  const { outputFiles } = await build({ ...workerBuild(root, "node-worker.ts"), platform: "node", format: "cjs" });
  return outputFiles[0]?.text ?? "";
}

/** The browser's worker as one classic script. */
export async function browserWorkerSource(root: string): Promise<string> {
  const { build } = await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ "esbuild");
  const { outputFiles } = await build({
    ...workerBuild(root, "browser-worker.ts"),
    platform: "browser",
    format: "iife",
  });
  return outputFiles[0]?.text ?? "";
}
