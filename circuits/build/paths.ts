import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Circuit, CircuitName } from "./circuits.ts";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url)).replace(/[\\/]$/, "");
export const CIRCUITS_DIR = join(ROOT, "circuits");
export const ARTIFACTS_DIR = join(CIRCUITS_DIR, "artifacts");
export const VERIFIERS_DIR = join(ROOT, "contracts", "src", "verifiers");
export const MANIFEST_FILE = join(CIRCUITS_DIR, "manifest.json");
export const PTAU_FILE = join(ARTIFACTS_DIR, "powers-of-tau.ptau");

/** The committed files of a circuit. */
export function artifacts(name: CircuitName) {
  return {
    witness: join(ARTIFACTS_DIR, `${name}.witness`),
    zkey: join(ARTIFACTS_DIR, `${name}.zkey`),
    vkey: join(ARTIFACTS_DIR, `${name}.vkey.json`),
  };
}

/** Where the Solidity verifier of a circuit lies, or null when it has none. */
export function verifierFile(circuit: Circuit): string | null {
  return circuit.verifier === null ? null : join(VERIFIERS_DIR, `${circuit.verifier}.sol`);
}

/** A path as written in the manifest: from the root, with forward slashes. */
export function fromRoot(file: string): string {
  return relative(ROOT, file).split(sep).join("/");
}
