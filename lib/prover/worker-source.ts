import { createHash } from "node:crypto";
import { join } from "node:path";
import type { BuildOptions } from "esbuild";
import { CIRCUITS } from "@/lib/ledger/prepare/witness";
import { artifactFiles } from "./artifact-files";

/** A worker that runs in the browser: its entry, from the repository's root. */
export type BrowserWorker = "lib/prover/browser-worker.ts" | "components/vault/worker.ts";

/** First line of a script that browsers get: where the licenses of its parts are. */
const NOTICE =
  "/*! Halcyon, Apache-2.0. Contains software of others, each under its own license: /third-party-notices.txt */";

async function bundle(
  root: string,
  entry: string,
  how: Pick<BuildOptions, "platform" | "format" | "banner" | "define">,
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

/** The circuits' files, as browsers load them. */
export const CIRCUIT_FILES: readonly string[] = CIRCUITS.flatMap((name) => [
  `${name}.witness`,
  `${name}.zkey`,
  `${name}.vkey.json`,
]);

/** Names a file's content: 128 bits of its SHA-256, in hex. */
export function contentHash(content: Uint8Array | string): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 32);
}

/** A script of a worker and the address that names its content. */
export interface WorkerFile {
  source: string;
  hash: string;
  /** Such as `/vault/0123…-worker.js`: what is there never changes. */
  path: string;
}

const FOLDERS: Record<BrowserWorker, string> = {
  "lib/prover/browser-worker.ts": "/prover",
  "components/vault/worker.ts": "/vault",
};

/** What a worker loads besides: circuits of this release, and, from the vault, the prover of this release. */
async function addressesFor(root: string, worker: BrowserWorker): Promise<Record<string, string>> {
  if (worker === "components/vault/worker.ts") {
    return { PROVER_PATH: JSON.stringify((await browserWorkerFile(root, "lib/prover/browser-worker.ts")).path) };
  }
  const files = artifactFiles(root);
  const hashes = CIRCUIT_FILES.map(async (file) => [file, contentHash(await files.read(file))] as const);
  return { CIRCUIT_HASHES: JSON.stringify(Object.fromEntries(await Promise.all(hashes))) };
}

/** A worker of the browser as one classic script. Fails when anything in it needs Node. */
export async function browserWorkerFile(root: string, worker: BrowserWorker): Promise<WorkerFile> {
  const define = await addressesFor(root, worker);
  const source = await bundle(root, worker, { platform: "browser", format: "iife", banner: { js: NOTICE }, define });
  const hash = contentHash(source);
  return { source, hash, path: `${FOLDERS[worker]}/${hash}-worker.js` };
}
