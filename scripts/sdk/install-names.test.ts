import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { version } from "@/package.json";
import { ROOT } from "../stack/config";

/** Everything that people read or copy from: documents, pages, screens, and output of commands. */
const READ =
  /^(README|CONTRIBUTING|CHANGELOG|SECURITY)\.md$|^(docs|app|components|sdk|lib|examples|public)\/.*\.(md|mdx|tsx?|py|toml|json|txt)$/;

/** An installation by package name. Anyone who registers the name could run code on the reader's machine. */
const BY_NAME =
  /\b(?:npm (?:i|install|add|exec)|pnpm (?:i|add|install|dlx)|yarn (?:add|dlx)|bun (?:add|install|x)|bunx)(?: -{1,2}\S+)* (?:@halcyon\/|halcyon\b)[^\s`"]*/g;
/** `npx` downloads a package from the registry unless `--no` forbids it. */
const BY_NPX = /\bnpx(?! (?:--no|--no-install)\b)(?: -{1,2}\S+)* (?:@halcyon\/\S+|halcyon\b)/g;
/** The same for Python. In a path, a slash follows the name. */
const BY_PIP =
  /\b(?:pip3? install|pipx (?:install|run)|uv (?:add|tool install)|uvx|poetry add|pdm add)(?: -{1,2}\S+)* ["']?halcyon[\w.-]*(?![\w./-])/g;

/** Sentences that warn against it. */
const WARNINGS = [/don't run `npx halcyon`/];

function found(text: string): string[] {
  const lines = text.split("\n").filter((line) => !WARNINGS.some((warning) => warning.test(line)));
  return lines.flatMap((line) => [
    ...(line.match(BY_NAME) ?? []),
    ...(line.match(BY_NPX) ?? []),
    ...(line.match(BY_PIP) ?? []),
  ]);
}

test("no document says to install or run a package name that nobody owns", () => {
  const files = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" }).split("\n");
  const read = files.filter((file) => READ.test(file) && !/\.test\.tsx?$/.test(file));
  expect(read.length).toBeGreaterThan(300);
  const wrong = read.flatMap((file) =>
    found(readFileSync(path.join(ROOT, file), "utf8")).map((command) => `${file}: ${command}`),
  );
  expect(wrong).toEqual([]);
});

test("a name is recognized in every form, and a path or a forbidden download is none", () => {
  for (const wrong of [
    "npm install @halcyon/sdk",
    "npm i --save-exact @halcyon/sdk",
    "npm install halcyon",
    "npx halcyon send",
    "npx -y halcyon",
    "npx @halcyon/sdk",
    "pnpm add @halcyon/sdk",
    "yarn add @halcyon/sdk",
    "npm exec halcyon",
    "pip install halcyon",
    "pip install halcyon-payments",
    "pip3 install --upgrade halcyon-payments==0.1.0",
    "python3 -m pip install 'halcyon-payments[all]'",
    "uv pip install halcyon",
    "uv add halcyon-payments",
    "pipx install halcyon",
    "poetry add halcyon-payments",
  ]) {
    expect(found(`run \`${wrong}\` now`), wrong).toHaveLength(1);
  }
  for (const right of [
    "npm install /path/to/halcyon/.halcyon/sdk/halcyon-sdk-0.1.0.tgz",
    "npm install ../../.halcyon/sdk/halcyon-sdk-*.tgz",
    "npx --no -- halcyon --version",
    "npx --no halcyon",
    "pip install /path/to/halcyon/sdk/python",
    "pip install ./sdk/python",
    "pip install halcyon/sdk/python",
    "Anywhere else, don't run `npx halcyon`: npm would fetch it.",
  ]) {
    expect(found(right), right).toEqual([]);
  }
});

test("documents name the tarball that is built", () => {
  for (const file of ["sdk/README.md", "docs/guides/quick-start.md"]) {
    expect(readFileSync(path.join(ROOT, file), "utf8"), file).toContain(`/.halcyon/sdk/halcyon-sdk-${version}.tgz`);
  }
});
