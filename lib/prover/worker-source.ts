import { join } from "node:path";
import type { BuildOptions } from "esbuild";

/** A worker that runs in the browser: its entry, from the repository's root. */
export type BrowserWorker = "lib/prover/browser-worker.ts" | "components/vault/worker.ts";

/** First line of a script that browsers get: where the licenses of its parts are. */
const NOTICE =
  "/*! Halcyon, Apache-2.0. Contains software of others, each under its own license: /third-party-notices.txt */";

async function bundle(
  root: string,
  entry: string,
  how: Pick<BuildOptions, "platform" | "format" | "banner">,
): Promise<string> {
  const { build } = await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ "esbuild");
  const { outputFiles } = await build({
    ...how,
    absWorkingDir: root,
    entryPoints: [join(root, entry)],
    tsconfig: join(root, "tsconfig.json"),
    bundle: true,
    write: false,
    minify: true,
    legalComments: "eof",
    target: "es2022",
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

/**
 * The server's prover as one CommonJS script. Made from source at start (a tenth of a second), so that it is the same
 * under tsx, Vitest and Next's bundles, and never out of date.
 */
export function nodeWorkerSource(root: string): Promise<string> {
  return bundle(root, "lib/prover/node-worker.ts", { platform: "node", format: "cjs" });
}

/** A worker of the browser as one classic script. Fails when anything in it needs Node. */
export function browserWorkerSource(root: string, worker: BrowserWorker): Promise<string> {
  return bundle(root, worker, { platform: "browser", format: "iife", banner: { js: NOTICE } });
}
