import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CIRCUITS, type Circuit, type CircuitName } from "./circuits.ts";
import { type Compiled, compile } from "./compile.ts";
import {
  describeManifest,
  type Manifest,
  readManifest,
  sha256,
  type WhereFilesAre,
  writeManifest,
} from "./manifest.ts";
import { ARTIFACTS_DIR, artifacts, PTAU_FILE, VERIFIERS_DIR, verifierFile } from "./paths.ts";
import { makePowersOfTau } from "./phase-one.ts";
import { makeProvingKey } from "./phase-two.ts";
import { renderVerificationKey, renderVerifier } from "./verification-key.ts";

/**
 * Rebuilds what the sources changed: compiles every circuit, makes a proving key for each whose constraints are new,
 * and writes witness programs, keys, verifiers and the manifest. Keys whose constraints are unchanged stay as they are.
 *
 * @param newCeremony makes the powers of tau and every proving key again
 * @throws when a committed key is not the one the manifest names, or a changed circuit would need a new key although
 *   the keys come from a multi-party ceremony
 */
export async function buildCircuits(newCeremony: boolean, log: (line: string) => void): Promise<void> {
  const before = newCeremony ? null : await readManifest();
  const workDir = await mkdtemp(join(tmpdir(), "halcyon-circuits-"));
  try {
    await mkdir(ARTIFACTS_DIR, { recursive: true });
    await mkdir(VERIFIERS_DIR, { recursive: true });
    await ensurePowersOfTau(before, workDir, log);
    const compiled = {} as Record<CircuitName, Compiled>;
    for (const circuit of CIRCUITS) {
      compiled[circuit.name] = await compile(circuit.name, workDir);
      await copyFile(compiled[circuit.name].witness, artifacts(circuit.name).witness);
      await ensureProvingKey(circuit, compiled[circuit.name], before, workDir, log);
      await exportKeys(circuit);
    }
    const manifest = await describeManifest(compiled, before?.development ?? true);
    await writeManifest(manifest);
    for (const [name, { constraints }] of Object.entries(manifest.circuits)) log(`${name}: ${constraints} constraints`);
  } finally {
    await rm(workDir, { recursive: true });
  }
}

/** Writes the verification key and the Solidity verifier that belong to a proving key. */
export async function exportKeys(circuit: Circuit, now: WhereFilesAre = (committed) => committed): Promise<void> {
  const { zkey, vkey } = artifacts(circuit.name);
  await writeFile(now(vkey), await renderVerificationKey(now(zkey)));
  const verifier = verifierFile(circuit);
  if (verifier !== null && circuit.verifier !== null) {
    await writeFile(now(verifier), await renderVerifier(now(zkey), circuit.verifier));
  }
}

async function ensurePowersOfTau(before: Manifest | null, workDir: string, log: (line: string) => void) {
  if (before === null) {
    log("powers of tau: making new ones, this takes minutes");
    await makePowersOfTau(PTAU_FILE, workDir);
  } else {
    await mustMatch(PTAU_FILE, before.ptau);
  }
}

async function ensureProvingKey(
  circuit: Circuit,
  compiled: Compiled,
  before: Manifest | null,
  workDir: string,
  log: (line: string) => void,
) {
  const { zkey } = artifacts(circuit.name);
  const record = before?.circuits[circuit.name];
  if (record !== undefined && record.r1cs === (await sha256(compiled.r1cs))) {
    await mustMatch(zkey, record.zkey);
    return;
  }
  if (before?.development === false) {
    throw new Error(`${circuit.name} changed: its multi-party ceremony must be held again (docs/ceremony.md)`);
  }
  log(`${circuit.name}: making a new proving key`);
  await makeProvingKey(compiled.r1cs, PTAU_FILE, zkey, workDir);
}

async function mustMatch(file: string, expected: string) {
  if ((await sha256(file)) !== expected) throw new Error(`${file} is not the file the manifest names`);
}
