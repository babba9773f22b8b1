import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { VerificationKey } from "snarkjs";
import { CIRCUITS, type CircuitName } from "./circuits.ts";
import { contributionsFault, readContributions } from "./contributions.ts";
import { PUBLIC_PHASE_ONE, type PublishedPhaseOne } from "./public-phase-one.ts";
import { verificationKeyFault } from "./verification-key-fault.ts";

interface Recorded {
  development?: unknown;
  circuits?: Partial<Record<CircuitName, { zkey?: string; vkey?: string }>>;
}

/**
 * Why the keys under a root's `circuits/` may not guard real money, or null. The manifest's word is one condition among
 * others: keys that one person could have made are recognized by what they are. Alpha and beta are those of phase 1 in
 * every key made from it, and a proving key lists its phase 2 contributions.
 *
 * @param root the repository's root
 */
export function liveKeysFault(root: string): string | null {
  const manifest: Recorded = JSON.parse(readFileSync(join(root, "circuits", "manifest.json"), "utf8"));
  if (manifest.development !== false) return "circuits/manifest.json says that they are development keys";
  for (const { name } of CIRCUITS) {
    const [zkey, vkey] = ["zkey", "vkey.json"].map((kind) =>
      readFileSync(join(root, "circuits", "artifacts", `${name}.${kind}`)),
    ) as [Buffer, Buffer];
    const recorded = manifest.circuits?.[name];
    if (recorded?.zkey !== sha256(zkey) || recorded.vkey !== sha256(vkey)) return `${name}: not the recorded keys`;
    const fault = keyFault(JSON.parse(vkey.toString()), zkey);
    if (fault !== null) return `${name}: ${fault}`;
  }
  return null;
}

function keyFault(vkey: VerificationKey, zkey: Buffer): string | null {
  return verificationKeyFault(vkey) ?? publicPhaseOneFault(vkey) ?? contributionsFault(readContributions(zkey), false);
}

/** Why a key was not made from the published powers of tau, or null. */
export function publicPhaseOneFault(
  vkey: Pick<VerificationKey, "vk_alpha_1" | "vk_beta_2">,
  published: PublishedPhaseOne = PUBLIC_PHASE_ONE,
): string | null {
  const found = [...vkey.vk_alpha_1.slice(0, 2), ...vkey.vk_beta_2.slice(0, 2).flat()];
  const wanted = [...published.alpha, ...published.beta.flat()];
  const same = found.length === wanted.length && wanted.every((value, i) => BigInt(value) === BigInt(found[i] ?? -1));
  return same ? null : `its alpha and beta are not those of ${published.file}: another phase 1 made it`;
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
