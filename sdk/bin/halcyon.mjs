#!/usr/bin/env node
/*
 * Starts the command line from a single script, bundled from the current sources. Creates the bundle if there is none
 * (half a second). V8's compiled code of each command is stored beside it, so that a start compiles nothing.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, Script } from "node:vm";

const root = fileURLToPath(new URL("../..", import.meta.url));
const bundles = join(root, ".cache", "cli");
/** Records which files the current bundle was built from: `{ bundle, files: [path, mtime][] }`. */
const current = join(bundles, "current.json");
const CONFIGURATION = ["package.json", "package-lock.json", "tsconfig.json", "sdk/bin/halcyon.mjs"];

const changedAt = (file) => statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs;

/** Writes a file completely or not at all, even if other processes write it too. */
function put(file, content) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, content);
  renameSync(draft, file);
}

/** Returns the bundle of exactly the current sources, if there is one. */
function known() {
  try {
    const { bundle, files } = JSON.parse(readFileSync(current, "utf8"));
    const script = join(bundles, bundle, "main.cjs");
    return files.every(([file, time]) => changedAt(file) === time) && existsSync(script) ? script : undefined;
  } catch {
    return undefined; // none yet
  }
}

/**
 * Removes bundles of earlier sources. A command that still runs from one started minutes ago at most. Their age is by the
 * disk's time: by a process's own clock, which may be wrong, the newest could be old.
 */
function removeOld(newest) {
  const now = statSync(newest).mtimeMs;
  for (const name of readdirSync(bundles)) {
    const found = statSync(join(bundles, name), { throwIfNoEntry: false }); // another process may be clearing up as well
    if (found && now - found.mtimeMs > 3_600_000) rmSync(join(bundles, name), { recursive: true, force: true });
  }
}

/**
 * Installs the dependencies like `npm start` does. Prints to standard error, because standard output belongs to the
 * command.
 */
function install() {
  const script = `import(${JSON.stringify(new URL("../../scripts/install.mjs", import.meta.url).href)}).then((m) => m.prepare())`;
  const { status } = spawnSync(process.execPath, ["-e", script], { stdio: ["ignore", 2, 2] });
  if (status !== 0) process.exit(1);
}

async function bundled() {
  if (!existsSync(join(root, "node_modules", "esbuild"))) install();
  const esbuild = await import("esbuild");
  const started = Date.now();
  const { outputFiles, metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [join(root, "sdk", "cli", "main.ts")],
    bundle: true,
    write: false,
    metafile: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    // Keep names: errors are distinguished by their class names.
    minifyWhitespace: true,
    minifySyntax: true,
    tsconfig: join(root, "tsconfig.json"),
    external: ["esbuild"],
    logLevel: "error",
  });
  const [{ contents }] = outputFiles;
  const bundle = createHash("sha256").update(contents).digest("hex").slice(0, 16);
  mkdirSync(join(bundles, bundle), { recursive: true });
  const script = join(bundles, bundle, "main.cjs");
  put(script, contents);
  const own = Object.keys(metafile.inputs).filter((file) => !file.startsWith("node_modules/"));
  const files = [...own, ...CONFIGURATION].map((file) => [file, changedAt(file)]);
  // If a file changed during the build, the next command bundles again.
  if (files.every(([, time]) => time < started)) put(current, JSON.stringify({ bundle, files }));
  removeOld(script);
  return script;
}

/**
 * Runs the script with the compiled code stored for this command. Stores it if there is none that fits this Node
 * version.
 */
async function run(file) {
  const command = /^[a-z-]+$/.exec(process.argv[2] ?? "")?.[0] ?? "";
  const codeFile = join(dirname(file), `${command}.code`);
  const cachedData = existsSync(codeFile) ? readFileSync(codeFile) : undefined;
  // The bundle is plain ASCII. The wrapper is the one Node puts around CommonJS modules.
  const source = `(function (exports, require, module) {${readFileSync(file, "latin1")}\n})`;
  const script = new Script(source, {
    filename: file,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module);
  await module.exports.ended;
  if (process.exitCode !== 0 || (cachedData && !script.cachedDataRejected)) return;
  try {
    put(codeFile, script.createCachedData());
  } catch {
    // Ignore errors: the next start is only slower.
  }
}

// The prover finds the circuits here, whatever folder the command runs in.
process.env.HALCYON_ROOT ??= root;
await run(known() ?? (await bundled()));
