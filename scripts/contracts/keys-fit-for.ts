import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { verificationKeyFault } from "../../circuits/build/verification-key.ts";
import { ROOT } from "./forge.ts";

const CIRCUITS = ["transfer", "release", "fund", "allocate", "balance"] as const;

/**
 * Makes sure that the committed proving keys may guard money.
 *
 * @param publicLive whether the chain is the public live one, where development keys would let their maker forge proofs
 * @throws when a key has no contribution (gamma equals delta), or development keys meet the public live chain
 */
export async function checkKeysFitFor({ publicLive }: { publicLive: boolean }): Promise<void> {
  for (const circuit of CIRCUITS) {
    const fault = verificationKeyFault(await json(`circuits/artifacts/${circuit}.vkey.json`));
    if (fault !== null) throw new Error(`circuits/artifacts/${circuit}.vkey.json: ${fault}`);
  }
  const { development } = await json("circuits/manifest.json");
  if (publicLive && development !== false) {
    throw new Error(
      "the proving keys are development keys: hold the ceremony of docs/ceremony.md before deploying live",
    );
  }
}

async function json(path: string) {
  return JSON.parse(await readFile(join(ROOT, path), "utf8"));
}
