import { chmodSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";
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
] as const;

/** What the command line alone imports of others; viem installs it anyway. */
export const CLI_DEPENDENCIES = ["ox"] as const;

/** What an entry of its own needs of others, for programs that have it already. */
export const PEERS = { mppx: ">=0.11.0" } as const;

/** What the command line's one file contains of others: their notices come with it. */
export const BUNDLED = ["commander", "@modelcontextprotocol/server", "zod", "string-width", "@cantoo/pdf-lib"] as const;

/** The package as it was built. */
export interface SdkBuild {
  /** Relative to the package's folder. */
  files: string[];
  node: Metafile;
  browser: Metafile;
  /** Of the command line. */
  cli: Metafile;
  /** Of the client with an API key alone. */
  api: Metafile;
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
      "./api": { types: `${types}/api.d.ts`, default: "./api/index.js" },
      "./mpp": { types: `${types}/mpp.d.ts`, default: "./node/mpp.js" },
      "./package.json": "./package.json",
    },
    types: `${types}/node.d.ts`,
    bin: { halcyon: "cli/halcyon.js" },
    files: ["node", "browser", "api", "cli", "types", "README.md", "LICENSE", "THIRD_PARTY_NOTICES"],
    dependencies: Object.fromEntries(
      [...DEPENDENCIES, ...CLI_DEPENDENCIES].map((name) => [name, root.dependencies[name]]),
    ),
    peerDependencies: PEERS,
    peerDependenciesMeta: Object.fromEntries(Object.keys(PEERS).map((name) => [name, { optional: true }])),
  };
}

/** What of a circuit only its build and the ledger need. The client knows the files it loads by their hashes. */
const OF_THE_BUILD = ["constraints", "nPublic", "publicSignals", "r1cs", "verifier"];

/** Reduces the manifest of the circuits to the hashes of what a client loads. */
const HASHES_OF_CIRCUITS: Plugin = {
  name: "hashes-of-circuits",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]circuits[\\/]manifest\.json$/ }, ({ path: file }) => {
      const { circuits } = JSON.parse(readFileSync(file, "utf8")) as { circuits: object };
      const without = (name: string, value: unknown) => (OF_THE_BUILD.includes(name) ? undefined : value);
      return { contents: JSON.stringify({ circuits }, without), loader: "json" };
    });
  },
};

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
    external: [
      ...[...DEPENDENCIES, ...Object.keys(PEERS)].flatMap((name) => [name, `${name}/*`]),
      ...(platform === "node" ? builtinModules : []),
    ],
    plugins: [HASHES_OF_CIRCUITS],
    legalComments: "none",
    metafile: true,
    logLevel: "error",
  });
  return metafile;
}

/** In the package, the command line's client proves with the service's circuits: the repository's are not there. */
const PACKAGED_CLIENT: Plugin = {
  name: "packaged-client",
  setup({ onResolve }) {
    onResolve({ filter: /(^|\/)client$/ }, ({ path: name, resolveDir }) =>
      path.resolve(resolveDir, name) === path.join(ROOT, "sdk", "client")
        ? { path: path.join(ROOT, "sdk", "package", "node.ts") }
        : undefined,
    );
  },
};

/**
 * Drops what an entry imports and does not use. Importing one of our modules, or a package, does nothing by itself; without
 * this an unused `import "viem"` would stay.
 */
const WITHOUT_UNUSED: Plugin = {
  name: "without-unused",
  setup(build) {
    build.onResolve({ filter: /.*/ }, async ({ path: name, pluginData, kind, ...at }) => {
      if (pluginData === "resolved" || kind === "entry-point") return undefined;
      // The one package that is used (webhook signatures) becomes part of the file; the others must turn out unused.
      const isOf = (one: string) => name === one || name.startsWith(`${one}/`);
      if (DEPENDENCIES.some(isOf) && !isOf("@noble/hashes")) return { path: name, external: true, sideEffects: false };
      const found = await build.resolve(name, { ...at, kind, pluginData: "resolved" });
      return { ...found, sideEffects: false };
    });
  },
};

/** The client with an API key alone: one file that needs no other package. */
async function keyClient(folder: string) {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: { index: "sdk/package/api.ts" },
    outdir: path.join(folder, "api"),
    bundle: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    tsconfig: path.join(ROOT, "tsconfig.json"),
    plugins: [WITHOUT_UNUSED],
    legalComments: "none",
    metafile: true,
    logLevel: "error",
  });
  return metafile;
}

/** The command line as one script: everything but the package's own dependencies is in it. */
async function commandLine(folder: string) {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: { halcyon: "sdk/cli/main.ts" },
    outdir: path.join(folder, "cli"),
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    minifyWhitespace: true,
    minifySyntax: true,
    tsconfig: path.join(ROOT, "tsconfig.json"),
    external: [...DEPENDENCIES, ...CLI_DEPENDENCIES].flatMap((name) => [name, `${name}/*`]),
    // What is CommonJS among its parts asks for Node's own modules by `require`.
    banner: {
      js: '#!/usr/bin/env node\nimport { createRequire as halcyonRequire } from "node:module"; const require = halcyonRequire(import.meta.url);',
    },
    plugins: [PACKAGED_CLIENT],
    legalComments: "none",
    metafile: true,
    logLevel: "error",
  });
  // npm makes it executable where it installs it; others that unpack the tarball don't.
  chmodSync(path.join(folder, "cli", "halcyon.js"), 0o755);
  return metafile;
}

/**
 * Makes the package in a folder: two bundles of ES modules whose dependencies stay outside, and the declarations of
 * what they export.
 */
export async function buildSdk(folder: string): Promise<SdkBuild> {
  const draft = `${folder}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  try {
    const root = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as Manifest;
    const [node, browser, cli, api, types] = await Promise.all([
      bundle(draft, "node", { index: "sdk/package/node.ts", mpp: "sdk/package/mpp.ts" }),
      bundle(draft, "browser", { index: "sdk/package/browser.ts", "prover-worker": "sdk/package/prover-worker.ts" }),
      commandLine(draft),
      keyClient(draft),
      declarations(draft, [
        "sdk/package/node.ts",
        "sdk/package/browser.ts",
        "sdk/package/api.ts",
        "sdk/package/mpp.ts",
      ]),
    ]);
    for (const [file, text] of types) {
      const target = path.join(draft, "types", file);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
    cpSync(path.join(ROOT, "sdk", "README.md"), path.join(draft, "README.md"));
    cpSync(path.join(ROOT, "LICENSE"), path.join(draft, "LICENSE"));
    writeFileSync(
      path.join(draft, "THIRD_PARTY_NOTICES"),
      noticesFor([...DEPENDENCIES, ...CLI_DEPENDENCIES, ...BUNDLED]),
    );
    writeFileSync(path.join(draft, "package.json"), `${JSON.stringify(manifest(root), null, 2)}\n`);
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
    const bundled = [node, browser, cli, api].flatMap(({ outputs }) => Object.keys(outputs));
    const relative = bundled.map((file) => path.relative(draft, path.join(ROOT, file)));
    return { files: [...relative, ...[...types.keys()].map((file) => `types/${file}`)], node, browser, cli, api };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
