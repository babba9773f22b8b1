import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { powersOfTau, zKey } from "snarkjs";
import { exportKeys } from "./build.ts";
import { CIRCUITS, type CircuitName } from "./circuits.ts";
import { type Compiled, compile } from "./compile.ts";
import { publicPhaseOneFault } from "./live-keys-fault.ts";
import { describeManifest, writeManifest } from "./manifest.ts";
import { artifacts, PTAU_FILE } from "./paths.ts";
import { phaseOneFault } from "./phase-one-fault.ts";
import { verifyProvingKey } from "./proving-key.ts";
import { PUBLIC_PHASE_ONE } from "./public-phase-one.ts";

/**
 * Replaces the keys by those of a multi-party ceremony and clears the manifest's `development` flag. The powers
 * of tau have to be the public ceremony's, and every file is verified first; nothing is written unless all pass.
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
    await copyFile(ptau, PTAU_FILE);
    for (const circuit of CIRCUITS) {
      await copyFile(compiled[circuit.name].witness, artifacts(circuit.name).witness);
      await copyFile(join(folder, `${circuit.name}.zkey`), artifacts(circuit.name).zkey);
      await exportKeys(circuit);
    }
    await writeManifest(await describeManifest(compiled, false));
  } finally {
    await rm(workDir, { recursive: true });
  }
}
