import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { powersOfTau, zKey } from "snarkjs";
import { exportKeys } from "./build.ts";
import { CIRCUITS, type CircuitName } from "./circuits.ts";
import { type Compiled, compile } from "./compile.ts";
import { publicPhaseOneFault } from "./live-keys-fault.ts";
import { describeManifest, writeManifest } from "./manifest.ts";
import { artifacts, fromRoot, MANIFEST_FILE, PTAU_FILE, VERIFIERS_DIR } from "./paths.ts";
import { phaseOneFault } from "./phase-one-fault.ts";
import { verifyProvingKey } from "./proving-key.ts";
import { PUBLIC_PHASE_ONE } from "./public-phase-one.ts";
import { replaceFiles } from "./replace-files.ts";

/**
 * Replaces the keys by those of a multi-party ceremony and clears the manifest's `development` flag. The powers
 * of tau have to be the public ceremony's, and every file is verified first. Either all files are replaced or none.
 *
 * @param folder holds `powers-of-tau.ptau` and `<circuit>.zkey` for each circuit
 * @param published the ceremony the powers of tau have to be of; another one in tests alone
 * @throws naming the first file that does not verify
 */
export async function adoptKeys(
  folder: string,
  log: (line: string) => void,
  published = PUBLIC_PHASE_ONE,
): Promise<void> {
  const ptau = join(folder, basename(PTAU_FILE));
  const fault = await phaseOneFault(ptau, published);
  if (fault !== null) throw new Error(`${ptau}: ${fault}`);
  log("verifying the powers of tau");
  if (!(await powersOfTau.verify(ptau))) throw new Error(`${ptau} does not verify`);
  const workDir = await mkdtemp(join(tmpdir(), "halcyon-circuits-"));
  try {
    const compiled = {} as Record<CircuitName, Compiled>;
    for (const { name } of CIRCUITS) {
      compiled[name] = await compile(name, workDir);
      const zkey = join(folder, `${name}.zkey`);
      const { contributions, faults } = await verifyProvingKey(compiled[name].r1cs, ptau, zkey, false);
      const foreign = publicPhaseOneFault(await zKey.exportVerificationKey(zkey), published);
      if (foreign !== null) faults.push(foreign);
      if (faults.length > 0) throw new Error(`${zkey}: ${faults.join("; ")}`);
      log(`${name}: verified, ${contributions.join(", ")}`);
    }
    await replaceFiles(await stage(folder, compiled, join(workDir, "staged")));
  } finally {
    await rm(workDir, { recursive: true });
  }
}

/** Everything that the adopted keys change, written beside it: staged file by committed file, the manifest last. */
async function stage(
  folder: string,
  compiled: Record<CircuitName, Compiled>,
  staging: string,
): Promise<ReadonlyMap<string, string>> {
  const staged = new Map<string, string>();
  const now = (committed: string) => {
    const file = join(staging, fromRoot(committed));
    staged.set(committed, file);
    return file;
  };
  const put = async (from: string, committed: string) => {
    await mkdir(dirname(now(committed)), { recursive: true });
    await copyFile(from, now(committed));
  };
  await mkdir(join(staging, fromRoot(VERIFIERS_DIR)), { recursive: true });
  await put(join(folder, basename(PTAU_FILE)), PTAU_FILE);
  for (const circuit of CIRCUITS) {
    await put(compiled[circuit.name].witness, artifacts(circuit.name).witness);
    await put(join(folder, `${circuit.name}.zkey`), artifacts(circuit.name).zkey);
    await exportKeys(circuit, now);
  }
  await writeManifest(await describeManifest(compiled, false, now), now(MANIFEST_FILE));
  return staged;
}
