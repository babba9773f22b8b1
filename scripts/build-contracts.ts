/**
 * Compiles the contracts and writes the generated files: typed ABIs and bytecode (lib/chain/abi) and
 * contracts/manifest.json. Renews the real proofs in the Solidity tests if the proving keys have changed.
 *
 *   npm run contracts                rebuild
 *   npm run contracts -- --check     exit with 1 and list every committed file that does not match the sources
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { compileContracts } from "./contracts/artifacts.ts";
import { ROOT } from "./contracts/forge.ts";
import { type GeneratedFiles, renderGeneratedFiles } from "./contracts/generated-files.ts";

const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });

const files = await renderGeneratedFiles(await compileContracts());
const wrong: string[] = [];
for (const [path, text] of Object.entries(await format(files))) {
  const committed = await readFile(join(ROOT, path), "utf8").catch(() => null);
  if (committed === text) continue;
  wrong.push(path);
  if (!values.check) await writeFile(join(ROOT, path), text);
}
// Imported only now, because it uses the ABI that was just written.
const { FIXTURES_FILE, fixturesAreCurrent, renderFixtures } = await import("./contracts/fixtures.ts");
if (!(await fixturesAreCurrent())) {
  wrong.push(FIXTURES_FILE);
  if (!values.check) await writeFile(join(ROOT, FIXTURES_FILE), await renderFixtures());
}
for (const path of wrong) console.log(values.check ? `MISMATCH ${path} does not match the sources` : `wrote ${path}`);
if (wrong.length === 0) console.log("contracts ok");
// snarkjs keeps its worker threads alive, so exit explicitly.
process.exit(values.check && wrong.length > 0 ? 1 : 0);

/** Formats the files like the rest of the project, so that the linter accepts them. */
async function format(files: GeneratedFiles): Promise<GeneratedFiles> {
  const biome = join(dirname(createRequire(import.meta.url).resolve("@biomejs/biome/package.json")), "bin/biome");
  const directory = await mkdtemp(join(ROOT, "contracts/out/format-"));
  try {
    const formatted: GeneratedFiles = {};
    for (const [path, text] of Object.entries(files)) {
      const copy = join(directory, path.replaceAll("/", "_"));
      await writeFile(copy, text);
      // Git, and so the linter, ignores contracts/out. Format without looking at git.
      await promisify(execFile)(process.execPath, [biome, "format", "--write", "--vcs-enabled=false", copy], {
        cwd: ROOT,
      });
      formatted[path] = await readFile(copy, "utf8");
    }
    return formatted;
  } finally {
    await rm(directory, { recursive: true });
  }
}
