import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { r1cs } from "snarkjs";
import { CIRCUITS, type Circuit, type CircuitName } from "./circuits.ts";
import type { Compiled } from "./compile.ts";
import { artifacts, CIRCUITS_DIR, fromRoot, MANIFEST_FILE, PTAU_FILE, verifierFile } from "./paths.ts";

/** `circuits/manifest.json`: what the committed files are. All hashes are SHA-256, hex. */
export interface Manifest {
  /** True while the keys come from a local ceremony: the person who ran it could forge proofs. */
  development: boolean;
  compiler: string;
  ptau: string;
  /** Hash of each source, by path from the root. */
  sources: Record<string, string>;
  circuits: Record<CircuitName, CircuitRecord>;
}

export interface CircuitRecord extends CompiledRecord {
  publicSignals: string[];
  zkey: string;
  vkey: string;
  /** Null for a circuit that is never verified on chain. */
  verifier: string | null;
}

/** What the sources and the compiler alone decide. */
export interface CompiledRecord {
  constraints: number;
  nPublic: number;
  r1cs: string;
  /** The witness program. */
  witness: string;
}

/** The committed manifest, or null before the first build. */
export async function readManifest(): Promise<Manifest | null> {
  const text = await readFile(MANIFEST_FILE, "utf8").catch((error) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  return text === null ? null : JSON.parse(text);
}

export async function writeManifest(manifest: Manifest, file = MANIFEST_FILE): Promise<void> {
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
}

export async function sha256(file: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
}

/** Name and version of the circom compiler in use. */
export function compilerVersion(): string {
  const { version } = createRequire(import.meta.url)("circom2/package.json");
  return `circom2 ${version} --O2`;
}

/** Hash of each source, by path from the root. */
export async function hashSources(): Promise<Record<string, string>> {
  const folders = ["src", "main"].map((folder) => join(CIRCUITS_DIR, folder));
  const files = await Promise.all(
    folders.map(async (folder) => (await readdir(folder)).sort().map((file) => join(folder, file))),
  );
  const hashes = await Promise.all(files.flat().map(async (file) => [fromRoot(file), await sha256(file)] as const));
  return Object.fromEntries(hashes);
}

async function describeCompiled(compiled: Compiled): Promise<CompiledRecord> {
  const header = await r1cs.info(compiled.r1cs);
  return {
    constraints: header.nConstraints,
    nPublic: header.nPubInputs + header.nOutputs,
    r1cs: await sha256(compiled.r1cs),
    witness: await sha256(compiled.witness),
  };
}

/** The record of a circuit as its files are now. */
async function describeCircuit(circuit: Circuit, compiled: Compiled, now: WhereFilesAre): Promise<CircuitRecord> {
  const files = artifacts(circuit.name);
  const verifier = verifierFile(circuit);
  return {
    ...(await describeCompiled(compiled)),
    publicSignals: circuit.publicSignals.map(({ name, length }) => (length === 1 ? name : `${name}[${length}]`)),
    zkey: await sha256(now(files.zkey)),
    vkey: await sha256(now(files.vkey)),
    verifier: verifier === null ? null : await sha256(now(verifier)),
  };
}

/** Where the content of a committed file is before it is committed. */
export type WhereFilesAre = (committed: string) => string;

/** The whole manifest as the files are now. */
export async function describeManifest(
  compiled: Record<CircuitName, Compiled>,
  development: boolean,
  now: WhereFilesAre = (committed) => committed,
): Promise<Manifest> {
  const circuits = {} as Record<CircuitName, CircuitRecord>;
  for (const circuit of CIRCUITS) circuits[circuit.name] = await describeCircuit(circuit, compiled[circuit.name], now);
  return {
    development,
    compiler: compilerVersion(),
    ptau: await sha256(now(PTAU_FILE)),
    sources: await hashSources(),
    circuits,
  };
}
