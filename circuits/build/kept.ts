import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import type { CircuitName } from "./circuits.ts";
import { type Compiled, compile, compiledIn } from "./compile.ts";
import { compilerVersion, hashSources } from "./manifest.ts";
import { CIRCUITS_DIR, ROOT } from "./paths.ts";

/** A folder for what these very sources compile to, by these versions of compiler and derivation. */
async function keptFolder(name: CircuitName): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify([compilerVersion(), await hashSources()]));
  for (const folder of ["derive", "witness"]) {
    for (const file of (await readdir(join(CIRCUITS_DIR, folder))).sort()) {
      hash.update(`\0${file}\0`).update(await readFile(join(CIRCUITS_DIR, folder, file)));
    }
  }
  return join(ROOT, ".cache", "circuits", hash.digest("hex"), name);
}

/** Keeps a freshly compiled circuit for tests and measurements that follow. */
export async function keep(name: CircuitName, compiled: Compiled): Promise<void> {
  const folder = await keptFolder(name);
  if (existsSync(folder)) return;
  const draft = `${folder}.${process.pid}`;
  const { r1cs, sym, written, witness, wasm } = compiled;
  for (const file of [r1cs, sym, written.r1cs, written.sym, witness, wasm]) {
    const copy = join(draft, relative(dirname(r1cs), file));
    await mkdir(dirname(copy), { recursive: true });
    await copyFile(file, copy);
  }
  // Another process may have kept the same meanwhile.
  await rename(draft, folder).catch(() => rm(draft, { recursive: true }));
}

/** A circuit compiled of the sources as they are: as it was kept, else compiled now and kept. */
export async function keptCircuit(name: CircuitName): Promise<Compiled> {
  const folder = await keptFolder(name);
  if (!existsSync(folder)) {
    const workDir = await mkdtemp(join(tmpdir(), `halcyon-${name}-`));
    try {
      await keep(name, await compile(name, workDir));
    } finally {
      await rm(workDir, { recursive: true });
    }
  }
  return compiledIn(folder, name);
}
