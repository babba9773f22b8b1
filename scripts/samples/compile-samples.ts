import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import type { SampleText } from "./collect-samples";
import { toModule } from "./to-module";

const OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  target: "es2023",
  lib: ["es2023", "dom", "dom.iterable"],
  module: "nodenext",
  moduleResolution: "nodenext",
  skipLibCheck: true,
  types: ["node"],
  // The package has no `exports`. A user's bundler finds this file by itself.
  paths: { "next/server": ["../node_modules/next/server.d.ts"] },
};

/**
 * Compiles samples in strict mode, as one program, in a folder that has the package and its dependencies in
 * `node_modules`.
 *
 * @returns the compiler's errors, each line with the name of the sample's document; empty if there are none
 */
export async function compileSamples(folder: string, samples: readonly SampleText[]): Promise<string[]> {
  const sources = path.join(folder, "samples");
  mkdirSync(sources, { recursive: true });
  for (const sample of samples) writeFileSync(path.join(sources, fileOf(sample)), toModule(sample));
  writeFileSync(path.join(sources, "package.json"), '{"type":"module"}');
  writeFileSync(path.join(sources, "tsconfig.json"), JSON.stringify({ compilerOptions: OPTIONS, include: ["*.ts"] }));
  const tsc = path.join(path.dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  const run = promisify(execFile)(process.execPath, [tsc, "-p", sources, "--pretty", "false"], { cwd: sources });
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  return stdout.split("\n").filter((line) => line !== "");
}

/** Returns a document's file name: `docs-guides-balances-md.ts` for `docs/guides/balances.md`. */
const fileOf = ({ name }: SampleText) => `${name.replace(/[^\w]+/g, "-")}.ts`;
