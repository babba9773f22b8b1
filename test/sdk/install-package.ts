import { equal } from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

const ROOT = path.resolve(import.meta.dirname, "../..");
const run = promisify(execFile);

/** Builds and packs the package in a folder, as `npm run sdk` does. */
export async function packSdk(folder: string): Promise<void> {
  await run(process.execPath, ["scripts/run.mjs", "scripts/build-sdk.ts", folder], { cwd: ROOT });
}

/**
 * Installs a packed package (`packSdk`) in a folder as npm would, without a registry: its dependencies come from the
 * clone. Returns the path of its command line.
 */
export async function installPackage(packed: string, folder: string): Promise<string> {
  const tarball = readdirSync(packed).find((file) => file.endsWith(".tgz")) ?? "";
  const modules = path.join(folder, "node_modules");
  const installed = path.join(modules, "@halcyon", "sdk");
  mkdirSync(installed, { recursive: true });
  await run("tar", ["-xzf", path.join(packed, tarball), "-C", installed, "--strip-components", "1"]);
  const { dependencies, bin }: { dependencies: Record<string, string>; bin: { halcyon: string } } = JSON.parse(
    readFileSync(path.join(installed, "package.json"), "utf8"),
  );
  for (const [name, version] of Object.entries(dependencies)) {
    const source = path.join(ROOT, "node_modules", name);
    equal(JSON.parse(readFileSync(path.join(source, "package.json"), "utf8")).version, version, name);
    mkdirSync(path.dirname(path.join(modules, name)), { recursive: true });
    symlinkSync(source, path.join(modules, name));
  }
  mkdirSync(path.join(modules, ".bin"));
  const commandLine = path.join(modules, ".bin", "halcyon");
  symlinkSync(path.join(installed, bin.halcyon), commandLine);
  return commandLine;
}
