import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

type Change = Record<"from" | "to", string> & { count: number };
const { PATCHES }: { PATCHES: { files: string[]; changes: Change[] }[] } = await import(
  path.resolve("scripts/patches.mjs")
);

let root = "";
const calls = () => readFileSync(path.join(root, "calls"), "utf8");

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "halcyon-install-"));
  for (const folder of ["scripts", "bin", "node_modules"]) mkdirSync(path.join(root, folder));
  for (const name of ["install.mjs", "patches.mjs"]) copyFileSync(`scripts/${name}`, path.join(root, "scripts", name));
  writeFileSync(path.join(root, "package-lock.json"), "{}");
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Installs with an npm whose `ci` fails with these words, if any are given, and whose `install` succeeds. */
function install(words?: string): number | null {
  const npm = path.join(root, "bin", "npm");
  const said = path.join(root, "said");
  writeFileSync(said, words ?? "");
  const succeeds = words === undefined ? "exit 0" : `[ "$1" = install ] && exit 0`;
  const lines = [`echo "$1" >> "${root}/calls"`, succeeds, `cat "${said}" >&2`, "exit 1"];
  writeFileSync(npm, `#!/bin/sh\n${lines.join("\n")}\n`);
  chmodSync(npm, 0o755);
  const code = `import("${root}/scripts/install.mjs").then(({ install }) => install())`;
  const env = { ...process.env, PATH: `${root}/bin:${process.env.PATH}` };
  return spawnSync(process.execPath, ["-e", code], { env }).status;
}

it.each([
  "npm error code EINTEGRITY\nnpm error sha512-… integrity checksum failed\n",
  "npm error code E404\n",
  "npm error code ENOSPC\n",
])("installs nothing but the lock file's packages when npm fails: %j", (words) => {
  expect(install(words)).toBe(1);
  expect(calls()).toBe("ci\n");
  expect(existsSync(path.join(root, "node_modules/.halcyon-lock"))).toBe(false);
});

it("has npm resolve what the lock file lacks, when that is what npm says, and bring what is repaired afresh", () => {
  const repaired = path.join(root, "node_modules/postgres");
  mkdirSync(repaired);
  // npm's own message for a lock file that lacks a package.
  const lock = { name: "x", version: "1.0.0", lockfileVersion: 3, packages: { "": { name: "x", version: "1.0.0" } } };
  const project = path.join(root, "project");
  mkdirSync(path.join(project, "dependency"), { recursive: true });
  writeFileSync(path.join(project, "dependency/package.json"), JSON.stringify({ name: "y", version: "1.0.0" }));
  writeFileSync(
    path.join(project, "package.json"),
    JSON.stringify({ name: "x", version: "1.0.0", dependencies: { y: "file:dependency" } }),
  );
  writeFileSync(path.join(project, "package-lock.json"), JSON.stringify(lock));
  let words = "";
  try {
    execFileSync("npm", ["ci", "--offline", "--loglevel=error"], { cwd: project, stdio: "pipe", encoding: "utf8" });
  } catch (error) {
    words = (error as { stderr: string }).stderr;
  }
  expect(install(words)).toBe(0);
  expect(calls()).toBe("ci\ninstall\n");
  expect(existsSync(repaired)).toBe(false);
});

it("names the versions of Node that must not serve others, and why", async () => {
  const { nodeWarning }: { nodeWarning: (version: string) => string | undefined } = await import(
    path.resolve("scripts/node-warning.mjs")
  );
  const warned = ["20.19.0", "20.20.2", "22.23.3", "23.11.0", "24.22.0", "24.9.9", "25.1.0", "26.12.0"];
  expect(warned.filter((version) => nodeWarning(version)?.includes("CVE-2026-111497"))).toEqual(warned);
  const safe = ["22.23.4", "22.24.0", "24.22.1", "26.12.1", "27.0.0"];
  expect(safe.map(nodeWarning)).toEqual(safe.map(() => undefined));
  const [, ofImage] = /^ARG NODE_IMAGE=\S*node:([\d.]+)-/m.exec(readFileSync("Dockerfile", "utf8")) ?? [];
  expect(ofImage && nodeWarning(ofImage)).toBeUndefined();
  expect(ofImage).toBeDefined();
});

it("repairs postgres.js, and refuses one that it does not know or that lacks a file", () => {
  const files = PATCHES.flatMap(({ files, changes }) =>
    files.map((name) => ({ file: path.join(root, "node_modules", name), changes })),
  );
  const unpack = () => {
    rmSync(path.join(root, "node_modules"), { recursive: true });
    for (const { file, changes } of files) {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, changes.map(({ from, count }) => from.repeat(count)).join(""));
    }
  };
  unpack();
  expect(install()).toBe(0);
  for (const { file, changes } of files) {
    const repaired = readFileSync(file, "utf8");
    for (const { to, count } of changes) if (to) expect(repaired.split(to)).toHaveLength(count + 1);
  }
  unpack();
  writeFileSync(files[0]?.file ?? "", "of another version");
  expect(install()).not.toBe(0);
  unpack();
  rmSync(files.at(-1)?.file ?? "");
  expect(install()).not.toBe(0);
});
