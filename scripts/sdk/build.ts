import { chmodSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";
import { Abi } from "ox";
import { ledgerAbi } from "../../lib/chain/abi/ledger";
import { PAGE_REQUESTS } from "../../lib/prover/worker-source";
import { noticesFor } from "../licenses/notices";
import { ROOT } from "../stack/config";
import { declarations } from "./declarations";

/** Dependencies that are installed with the package, with the exact versions of the repository. */
export const DEPENDENCIES = [
  "@hpke/chacha20poly1305",
  "@hpke/core",
  "@noble/ciphers",
  "@noble/curves",
  "@noble/hashes",
  "poseidon-lite",
  "viem",
] as const;

/** Dependencies of the command line only; viem installs them anyway. */
export const CLI_DEPENDENCIES = ["ox"] as const;

/** Peer dependencies of a separate entry, for programs that already use them. */
export const PEERS = { mppx: ">=0.11.0" } as const;

/** Packages bundled into the command line's single file, whose notices are included. */
export const BUNDLED = ["commander", "@modelcontextprotocol/server", "zod", "string-width", "@cantoo/pdf-lib"] as const;

/**
 * Circuits that the package holds, in files named by their hash: with them a wallet gets its money back when the service
 * is gone. All others come from the service.
 */
export const OF_A_RECOVERY = ["make-available", "release", "fund", "spend-public"] as const;

/** What is read of the circuits' manifest: the hashes of their files. */
interface Circuits {
  circuits: Record<(typeof OF_A_RECOVERY)[number], Record<"witness" | "zkey", string>>;
}

/** The built package. */
export interface SdkBuild {
  /** Paths relative to the package's folder. */
  files: string[];
  node: Metafile;
  browser: Metafile;
  /** Of the command line. */
  cli: Metafile;
}

interface Manifest {
  version: string;
  license: string;
  engines: Record<string, string>;
  dependencies: Record<string, string>;
}

/** Returns the package's package.json. */
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
      "./mpp": { types: `${types}/mpp.d.ts`, default: "./node/mpp.js" },
      "./package.json": "./package.json",
    },
    types: `${types}/node.d.ts`,
    bin: { halcyon: "cli/halcyon.js" },
    files: ["node", "browser", "cli", "types", "circuits", "README.md", "LICENSE", "THIRD_PARTY_NOTICES"],
    dependencies: Object.fromEntries(
      [...DEPENDENCIES, ...CLI_DEPENDENCIES].map((name) => [name, root.dependencies[name]]),
    ),
    peerDependencies: PEERS,
    peerDependenciesMeta: Object.fromEntries(Object.keys(PEERS).map((name) => [name, { optional: true }])),
  };
}

/** Fields of a circuit that only its build and the ledger need. The client identifies the files it loads by hash. */
const OF_THE_BUILD = ["constraints", "nPublic", "publicSignals", "r1cs", "verifier"];

/** Reduces the circuits' manifest to the hashes of files that a client loads. */
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

/** Functions and errors of the ledger's ABI that only its deployment and its owner use. */
const OF_THE_OWNER = /Ownership|^Ownable|^pendingOwner$|Verifier$|^listAsset$|^setDepositLimit$/;

/**
 * Reduces the ledger's ABI to what a client calls, written in a third of the bytes and parsed in some milliseconds. Its
 * events are those that the client has anyway.
 */
const ABI_OF_CLIENTS: Plugin = {
  name: "abi-of-clients",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]abi[\\/]ledger\.ts$/ }, ({ path: file }) => {
      const called = ledgerAbi.filter(
        (entry) => "name" in entry && entry.type !== "event" && !OF_THE_OWNER.test(entry.name),
      );
      const contents = `import { parseAbi } from "viem";
        import { LEDGER_EVENTS } from "@/lib/ledger/ledger-events";
        export const ledgerAbi = [...parseAbi(${JSON.stringify(Abi.format(called))}), ...LEDGER_EVENTS];`;
      return { contents, loader: "js", resolveDir: path.dirname(file) };
    });
  },
};

/** In a bundle for Node alone, how Node asks is loaded with the rest: in a chunk of its own it takes more. */
const NODE_REQUESTS: Plugin = {
  name: "node-requests",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]base[\\/]machine-fetch\.ts$/ }, ({ path: file }) => ({
      contents: 'export const isPage = () => false;\nexport { nodeFetch as machineFetch } from "./node-fetch";',
      loader: "js",
      resolveDir: path.dirname(file),
    }));
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
    plugins: [HASHES_OF_CIRCUITS, ABI_OF_CLIENTS, platform === "browser" ? PAGE_REQUESTS : NODE_REQUESTS],
    legalComments: "none",
    metafile: true,
    logLevel: "error",
  });
  return metafile;
}

/**
 * Replaces the command line's client: in the package it proves with the service's circuits, because the repository's
 * are not there.
 */
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

/** Builds the command line as one script, which contains everything except the package's own dependencies. */
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
    // Some parts are CommonJS and load Node's modules with `require`.
    banner: {
      js: '#!/usr/bin/env node\nimport { createRequire as halcyonRequire } from "node:module"; const require = halcyonRequire(import.meta.url);',
    },
    plugins: [PACKAGED_CLIENT],
    legalComments: "none",
    metafile: true,
    logLevel: "error",
  });
  // npm makes the file executable on installation; others that unpack the tarball don't.
  chmodSync(path.join(folder, "cli", "halcyon.js"), 0o755);
  return metafile;
}

/**
 * Builds the package in a folder: two bundles of ES modules with external dependencies, and the declarations of what
 * they export.
 */
export async function buildSdk(folder: string): Promise<SdkBuild> {
  const draft = `${folder}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  try {
    const root = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as Manifest;
    const [node, browser, cli, types] = await Promise.all([
      bundle(draft, "node", { index: "sdk/package/node.ts", mpp: "sdk/package/mpp.ts" }),
      bundle(draft, "browser", { index: "sdk/package/browser.ts", "prover-worker": "sdk/package/prover-worker.ts" }),
      commandLine(draft),
      declarations(draft, ["sdk/package/node.ts", "sdk/package/browser.ts", "sdk/package/mpp.ts"]),
    ]);
    for (const [file, text] of types) {
      const target = path.join(draft, "types", file);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
    mkdirSync(path.join(draft, "circuits"));
    const { circuits } = JSON.parse(readFileSync(path.join(ROOT, "circuits", "manifest.json"), "utf8")) as Circuits;
    for (const name of OF_A_RECOVERY) {
      for (const kind of ["witness", "zkey"] as const) {
        const file = path.join(ROOT, "circuits", "artifacts", `${name}.${kind}`);
        cpSync(file, path.join(draft, "circuits", circuits[name][kind]));
      }
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
    const bundled = [node, browser, cli].flatMap(({ outputs }) => Object.keys(outputs));
    const relative = bundled.map((file) => path.relative(draft, path.join(ROOT, file)));
    return { files: [...relative, ...[...types.keys()].map((file) => `types/${file}`)], node, browser, cli };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
