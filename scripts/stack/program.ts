import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { ROOT } from "./config";

/** Gives each source file its own path in the repository. */
const ownPlace: Plugin = {
  name: "own-place",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, ({ path: file }) => ({
      loader: "ts",
      contents: readFileSync(file, "utf8")
        .replaceAll("import.meta.dirname", JSON.stringify(path.dirname(file)))
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(file).href)),
    })),
};

/**
 * Compiles one of this repository's programs to JavaScript for plain Node, with external dependencies. A TypeScript
 * loader would also process each file of Next.js, which doubles the start-up time.
 *
 * @param script TypeScript file, relative to the repository
 * @returns the file to run
 */
export async function program(script: string): Promise<string> {
  const name = path.basename(script, ".ts");
  const folder = path.join(ROOT, ".cache", "programs");
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [path.join(ROOT, script)],
    outfile: path.join(folder, `${name}.mjs`),
    write: false,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20",
    sourcemap: "inline",
    sourcesContent: false,
    tsconfig: path.join(ROOT, "tsconfig.json"),
    plugins: [ownPlace],
    logLevel: "error",
  });
  const text = outputFiles[0]?.text ?? "";
  // Named by its content, so that a process that runs or restarts keeps its own version.
  const file = path.join(folder, `${name}-${createHash("sha256").update(text).digest("hex").slice(0, 16)}.mjs`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
  return file;
}
