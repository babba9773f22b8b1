import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CIRCUITS, type Circuit, type CircuitName } from "./circuits.ts";
import { type Compiled, compile } from "./compile.ts";
import { keep } from "./kept.ts";
import { liveKeysFault } from "./live-keys-fault.ts";
import { describeManifest, readManifest, sha256 } from "./manifest.ts";
import { artifacts, fromRoot, MANIFEST_FILE, PTAU_FILE, ROOT, verifierFile } from "./paths.ts";
import { phaseOneFault } from "./phase-one-fault.ts";
import { combineProvingKey, verifyProvingKey } from "./proving-key.ts";
import { renderVerificationKey, renderVerifier } from "./verification-key.ts";
import { verificationKeyFault } from "./verification-key-fault.ts";

/**
 * Checks that the committed files belong to each other: sources compile to the recorded circuits and witness programs,
 * every file has its recorded hash, keys and verifiers come from the proving keys, and each proving key verifies against
 * circuit and powers of tau with a contribution and a beacon after it. Keys that are not for development come from a
 * public phase 1.
 *
 * @param isQuick compares random combinations of a key's points (combined-check.ts) in place of `zkey verify`
 * @returns one line per mismatch; empty when all is well
 */
export async function checkCircuits(isQuick: boolean, log: (line: string) => void): Promise<string[]> {
  const manifest = await readManifest();
  if (manifest === null) return [`${fromRoot(MANIFEST_FILE)} is missing`];
  const faults: string[] = [];
  const phaseOne = manifest.development ? null : await phaseOneFault(PTAU_FILE);
  if (phaseOne !== null) faults.push(`${fromRoot(PTAU_FILE)}: ${phaseOne}`);
  const live = manifest.development ? null : liveKeysFault(ROOT);
  if (live !== null) faults.push(live);
  const verify = isQuick ? combineProvingKey : verifyProvingKey;
  const workDir = await mkdtemp(join(tmpdir(), "halcyon-circuits-"));
  try {
    const compiled = {} as Record<CircuitName, Compiled>;
    for (const { name } of CIRCUITS) {
      compiled[name] = await compile(name, workDir);
      await keep(name, compiled[name]);
      const { witness } = artifacts(name);
      if ((await sha256(witness)) !== (await sha256(compiled[name].witness))) {
        faults.push(`${fromRoot(witness)}: not the witness program of the sources`);
      }
    }
    faults.push(...differences("manifest", manifest, await describeManifest(compiled, manifest.development)));
    for (const circuit of CIRCUITS) {
      const { zkey } = artifacts(circuit.name);
      const report = await verify(compiled[circuit.name].r1cs, PTAU_FILE, zkey, manifest.development);
      const found = [...report.faults.map((fault) => `${fromRoot(zkey)}: ${fault}`), ...(await checkKeys(circuit))];
      faults.push(...found);
      log(`${circuit.name}: ${found.length === 0 ? `keys ok (${report.contributions.join(", ")})` : "keys REFUSED"}`);
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
  return a === b ? [] : [`${path}: recorded ${a}, found ${b}`];
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
