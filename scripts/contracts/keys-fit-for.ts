import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CIRCUITS } from "../../circuits/build/circuits.ts";
import { liveKeysFault } from "../../circuits/build/live-keys-fault.ts";
import { verificationKeyFault } from "../../circuits/build/verification-key-fault.ts";
import { ROOT } from "./forge.ts";

/**
 * Checks that the committed proving keys may protect money.
 *
 * @param publicLive whether the chain is the public live one, where people who created development keys could forge
 *   proofs
 * @param root the folder whose `circuits/` contains the keys
 * @throws Error when a key has no contribution (gamma equals delta), or development keys would be used on the public
 *   live chain
 */
export async function checkKeysFitFor({ publicLive }: { publicLive: boolean }, root: string = ROOT): Promise<void> {
  for (const { name } of CIRCUITS) {
    const file = `circuits/artifacts/${name}.vkey.json`;
    const fault = verificationKeyFault(JSON.parse(await readFile(join(root, file), "utf8")));
    if (fault !== null) throw new Error(`${file}: ${fault}`);
  }
  const fault = publicLive ? liveKeysFault(root) : null;
  if (fault !== null) {
    throw new Error(
      `the proving keys are not fit for real money: ${fault}. Hold the ceremony of docs/ceremony.md before deploying live`,
    );
  }
}
