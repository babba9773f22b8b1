import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../stack/config";

/** Matches `from "x"`, `import("x")` and `import "x"` in a declaration file. */
const SPECIFIER = /(\bfrom\s*|\bimport\s*\(?\s*)"([^"]+)"/g;

/**
 * Returns only the declaration files that the entries need, by path. Aliases and bare relative paths are rewritten so
 * that every module resolution understands them.
 *
 * @param folder for temporary files of the compiler
 * @param entries paths relative to the repository, like the keys of the result
 */
export async function declarations(folder: string, entries: readonly string[]): Promise<Map<string, string>> {
  const out = path.join(folder, "declarations");
  mkdirSync(out, { recursive: true });
  await compile(out, entries);
  const found = new Map<string, string>();
  const todo = entries.map((entry) => entry.replace(/\.ts$/, ".d.ts"));
  for (let file = todo.pop(); file !== undefined; file = todo.pop()) {
    if (found.has(file)) continue;
    const own = path.dirname(file);
    const text = readFileSync(path.join(out, file), "utf8").replace(SPECIFIER, (all, lead: string, name: string) => {
      if (!/^(@\/|\.)/.test(name)) return all;
      const target = name.startsWith("@/") ? name.slice(2) : path.posix.join(own, name);
      if (!existsSync(path.join(out, `${target}.d.ts`)))
        throw new Error(`${file} needs ${name}, which declares nothing`);
      todo.push(`${target}.d.ts`);
      const relative = path.posix.relative(own, target);
      return `${lead}"${relative.startsWith(".") ? relative : `./${relative}`}.js"`;
    });
    found.set(file, text);
  }
  rmSync(out, { recursive: true, force: true });
  return found;
}

async function compile(out: string, entries: readonly string[]): Promise<void> {
  const config = path.join(out, "tsconfig.json");
  const options = {
    extends: path.join(ROOT, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      incremental: false,
      declaration: true,
      emitDeclarationOnly: true,
      allowImportingTsExtensions: false,
      rootDir: ROOT,
      outDir: out,
      paths: { "@/*": [path.join(ROOT, "*")] },
      typeRoots: [path.join(ROOT, "node_modules", "@types")],
    },
    include: [],
    files: entries.map((entry) => path.join(ROOT, entry)),
  };
  writeFileSync(config, JSON.stringify(options));
  const tsc = path.join(path.dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  await promisify(execFile)(process.execPath, [tsc, "-p", config], { cwd: ROOT }).catch(
    (error: { stdout?: string }) => {
      throw new Error(`The package's types do not compile:\n${error.stdout}`);
    },
  );
}
