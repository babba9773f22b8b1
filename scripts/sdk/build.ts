import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import { build, type Metafile } from "esbuild";
import { noticesFor } from "../licenses/notices";
import { ROOT } from "../stack/config";
import { declarations } from "./declarations";

/** What others have installed already, or install with the package: exact versions of the repository's. */
export const DEPENDENCIES = [
  "@hpke/chacha20poly1305",
  "@hpke/core",
  "@noble/ciphers",
  "@noble/curves",
  "@noble/hashes",
  "poseidon-lite",
  "viem",
  "wasmcurves",
] as const;

/** The package as it was built. */
export interface SdkBuild {
  /** Relative to the package's folder. */
  files: string[];
  node: Metafile;
  browser: Metafile;
}

interface Manifest {
  version: string;
  license: string;
  engines: Record<string, string>;
  dependencies: Record<string, string>;
}

/** What the package says of itself. */
function manifest(root: Manifest) {
  const types = "./types/sdk/package";
  return {
    name: "@halcyon/sdk",
    version: root.version,
    description: "Client of Halcyon, a confidential payments service: keys and amounts stay on your machine.",
    license: root.license,
    type: "module",
    sideEffects: false,
    engines: root.engines,
    exports: {
      ".": {
        browser: { types: `${types}/browser.d.ts`, default: "./browser/index.js" },
        default: { types: `${types}/node.d.ts`, default: "./node/index.js" },
      },
      "./package.json": "./package.json",
    },
    types: `${types}/node.d.ts`,
    files: ["node", "browser", "types", "README.md", "LICENSE", "THIRD_PARTY_NOTICES"],
    dependencies: Object.fromEntries(DEPENDENCIES.map((name) => [name, root.dependencies[name]])),
  };
}

async function bundle(folder: string, platform: "node" | "browser", entries: Record<string, string>) {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: entries,
    outdir: path.join(folder, platform),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: platform === "node" ? "node" : "neutral",
    target: "es2022",
    tsconfig: path.join(ROOT, "tsconfig.json"),
    external: [...DEPENDENCIES.flatMap((name) => [name, `${name}/*`]), ...(platform === "node" ? builtinModules : [])],
    legalComments: "none",
    metafile: true,
    logLevel: "error",
  });
  return metafile;
}

/**
 * Makes the package in a folder: two bundles of ES modules whose dependencies stay outside, and the declarations of what
 * they export.
 */
export async function buildSdk(folder: string): Promise<SdkBuild> {
  const draft = `${folder}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  try {
    const root = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as Manifest;
    const [node, browser, types] = await Promise.all([
      bundle(draft, "node", { index: "sdk/package/node.ts" }),
      bundle(draft, "browser", { index: "sdk/package/browser.ts", "prover-worker": "sdk/package/prover-worker.ts" }),
      declarations(draft, ["sdk/package/node.ts", "sdk/package/browser.ts"]),
    ]);
    for (const [file, text] of types) {
      const target = path.join(draft, "types", file);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
    cpSync(path.join(ROOT, "sdk", "README.md"), path.join(draft, "README.md"));
    cpSync(path.join(ROOT, "LICENSE"), path.join(draft, "LICENSE"));
    writeFileSync(path.join(draft, "THIRD_PARTY_NOTICES"), noticesFor(DEPENDENCIES));
    writeFileSync(path.join(draft, "package.json"), `${JSON.stringify(manifest(root), null, 2)}\n`);
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
    const bundled = [node, browser].flatMap(({ outputs }) => Object.keys(outputs));
    const relative = bundled.map((file) => path.relative(draft, path.join(ROOT, file)));
    return { files: [...relative, ...[...types.keys()].map((file) => `types/${file}`)], node, browser };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
