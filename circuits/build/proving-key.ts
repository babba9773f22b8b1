import { readFile } from "node:fs/promises";
import { zKey } from "snarkjs";
import { combinedKeyFault } from "./combined-check.ts";
import { type Contribution, contributionsFault, readContributions } from "./contributions.ts";
import { renderVerificationKey } from "./verification-key.ts";
import { verificationKeyFault } from "./verification-key-fault.ts";

export interface ProvingKeyReport {
  contributions: Contribution[];
  /** Empty when the key may be used. */
  faults: string[];
}

/**
 * Verifies a proving key: made for this circuit from these powers of tau by the contributions it lists (`zkey verify`),
 * which suffice and end with a beacon; gamma and delta different.
 *
 * @param r1cs path of the compiled circuit
 * @param ptau path of the prepared powers of tau
 * @param development whether one contribution is enough
 */
export function verifyProvingKey(
  r1cs: string,
  ptau: string,
  zkey: string,
  development: boolean,
): Promise<ProvingKeyReport> {
  return reportOn(zkey, development, async (key) => {
    // Bytes, because snarkjs leaves files it opens by name open.
    const verified = await zKey.verifyFromR1cs(await readFile(r1cs), await readFile(ptau), key);
    return verified ? null : "zkey verify refuses it for this circuit and these powers of tau";
  });
}

/** As `verifyProvingKey`, in a fifth of its time (combined-check.ts). */
export function combineProvingKey(
  r1cs: string,
  ptau: string,
  zkey: string,
  development: boolean,
): Promise<ProvingKeyReport> {
  return reportOn(zkey, development, async (key) => combinedKeyFault(await readFile(r1cs), await readFile(ptau), key));
}

async function reportOn(
  zkey: string,
  development: boolean,
  faultOf: (key: Buffer) => Promise<string | null>,
): Promise<ProvingKeyReport> {
  const key = await readFile(zkey);
  const contributions = readContributions(key);
  const faults = [
    contributionsFault(contributions, development),
    verificationKeyFault(JSON.parse(await renderVerificationKey(zkey))),
    await faultOf(key),
  ];
  return { contributions, faults: faults.filter((fault) => fault !== null) };
}
