#!/usr/bin/env node
/*
 * Starts the command line: from one script bundled of the sources as they are now, made when there is none (half a
 * second). Beside it lies V8's code of each command, so that a start compiles nothing.
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
/** Which bundle is of which files: `{ bundle, files: [path, mtime][] }`. */
const current = join(bundles, "current.json");
const CONFIGURATION = ["package.json", "package-lock.json", "tsconfig.json", "sdk/bin/halcyon.mjs"];

const changedAt = (file) => statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs;

/** Writes a file whole or not at all, whatever other processes do. */
function put(file, content) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, content);
  renameSync(draft, file);
}

/** The bundle of exactly these sources, if there is one. */
function known() {
  try {
    const { bundle, files } = JSON.parse(readFileSync(current, "utf8"));
    const script = join(bundles, bundle, "main.cjs");
    return files.every(([file, time]) => changedAt(file) === time) && existsSync(script) ? script : undefined;
  } catch {
    return undefined; // none yet
  }
}

/** Bundles of earlier sources; a command that still runs from one is minutes old at most. */
function removeOld() {
  for (const name of readdirSync(bundles)) {
    const found = statSync(join(bundles, name), { throwIfNoEntry: false }); // another process may be clearing up as well
    if (found && Date.now() - found.mtimeMs > 3_600_000) rmSync(join(bundles, name), { recursive: true, force: true });
  }
}

/** Installs the dependencies as `npm start` does. Its messages go to standard error: standard output is the command's. */
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
    // Names stay: errors are distinguished by theirs.
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
  // What changed while it was read is bundled again by the next command.
  if (files.every(([, time]) => time < started)) put(current, JSON.stringify({ bundle, files }));
  removeOld();
  return script;
}

/** Runs the script with the code kept of this command; keeps it when there is none that fits this Node. */
async function run(file) {
  const command = /^[a-z-]+$/.exec(process.argv[2] ?? "")?.[0] ?? "";
  const codeFile = join(dirname(file), `${command}.code`);
  const cachedData = existsSync(codeFile) ? readFileSync(codeFile) : undefined;
  // The bundle is plain ASCII; the wrapper is the one Node gives CommonJS modules.
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
    // The next start is slower, that is all.
  }
}

// The prover finds the circuits from here, whatever folder the command is run in.
process.env.HALCYON_ROOT ??= root;
await run(known() ?? (await bundled()));
