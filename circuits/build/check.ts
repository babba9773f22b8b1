import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zKey } from "snarkjs";
import { CIRCUITS, type Circuit, publicCount } from "./circuits.ts";
import { type Compiled, compile } from "./compile.ts";
import { contributionsFault, readContributions } from "./contributions.ts";
import { compilerVersion, describeCircuit, describeCompiled, hashPtau, hashSources, readManifest } from "./manifest.ts";
import { artifacts, fromRoot, MANIFEST_FILE, PTAU_FILE, verifierFile } from "./paths.ts";
import { renderVerificationKey, renderVerifier, verificationKeyFault } from "./verification-key.ts";

/**
 * Checks that the committed files belong to each other: sources compile to the recorded circuits, every file has its
 * recorded hash, keys and verifiers come from the proving keys, and each proving key verifies against circuit and
 * powers of tau with a contribution and a beacon after it.
 *
 * @returns one line per mismatch; empty when all is well
 */
export async function checkCircuits(log: (line: string) => void): Promise<string[]> {
  const manifest = await readManifest();
  if (manifest === null) return [`${fromRoot(MANIFEST_FILE)} is missing`];
  const faults = [
    ...differences("compiler", manifest.compiler, compilerVersion()),
    ...differences("sources", manifest.sources, await hashSources()),
    ...differences("ptau", manifest.ptau, await hashPtau()),
  ];
  const workDir = await mkdtemp(join(tmpdir(), "halcyon-circuits-"));
  try {
    for (const circuit of CIRCUITS) {
      const started = Date.now();
      const compiled = await compile(circuit.name, workDir);
      const found = [
        ...differences(circuit.name, manifest.circuits[circuit.name], await describeCircuit(circuit, compiled)),
        ...(await checkCompiled(circuit, compiled)),
        ...(await checkKeys(circuit)),
        ...(await checkProvingKey(circuit, compiled)),
      ];
      log(`${circuit.name}: ${found.length === 0 ? "ok" : "WRONG"} (${Date.now() - started} ms)`);
      faults.push(...found);
    }
  } finally {
    await rm(workDir, { recursive: true });
  }
  return faults;
}

/** Names every leaf in which two plain values differ. */
export function differences(path: string, recorded: unknown, found: unknown): string[] {
  if (isRecord(recorded) && isRecord(found)) {
    const keys = new Set([...Object.keys(recorded), ...Object.keys(found)]);
    return [...keys].flatMap((key) => differences(`${path} ${key}`, recorded[key], found[key]));
  }
  const [a, b] = [JSON.stringify(recorded), JSON.stringify(found)];
  return a === b ? [] : [`${path}: the manifest says ${a}, found ${b}`];
}

async function checkCompiled(circuit: Circuit, compiled: Compiled): Promise<string[]> {
  const { nPublic } = await describeCompiled(compiled);
  return differences(`${circuit.name} public signals`, publicCount(circuit), nPublic);
}

/** The committed verification key and Solidity verifier are those of the committed proving key. */
async function checkKeys(circuit: Circuit): Promise<string[]> {
  const { zkey, vkey } = artifacts(circuit.name);
  const text = await readFile(vkey, "utf8");
  const faults: string[] = [];
  if (text !== (await renderVerificationKey(zkey))) faults.push(`${fromRoot(vkey)}: not the key of ${fromRoot(zkey)}`);
  const fault = verificationKeyFault(JSON.parse(text));
  if (fault !== null) faults.push(`${fromRoot(vkey)}: ${fault}`);
  const verifier = verifierFile(circuit);
  if (verifier !== null && circuit.verifier !== null) {
    const same = (await readFile(verifier, "utf8")) === (await renderVerifier(zkey, circuit.verifier));
    if (!same) faults.push(`${fromRoot(verifier)}: not the verifier of ${fromRoot(zkey)}`);
  }
  return faults;
}

async function checkProvingKey(circuit: Circuit, compiled: Compiled): Promise<string[]> {
  const { zkey } = artifacts(circuit.name);
  const faults: string[] = [];
  const fault = contributionsFault(await readContributions(zkey));
  if (fault !== null) faults.push(`${fromRoot(zkey)}: ${fault}`);
  // Bytes, because snarkjs leaves files it opens by name open.
  const verified = await zKey.verifyFromR1cs(
    await readFile(compiled.r1cs),
    await readFile(PTAU_FILE),
    await readFile(zkey),
  );
  if (!verified) faults.push(`${fromRoot(zkey)}: zkey verify refuses it for this circuit and ${fromRoot(PTAU_FILE)}`);
  return faults;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
