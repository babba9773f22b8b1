import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { VerificationKey } from "snarkjs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CIRCUITS } from "@/circuits/build/circuits";
import { PUBLIC_PHASE_ONE } from "@/circuits/build/public-phase-one";
import type { ChainEnv } from "@/lib/base/env";
import { EnvError } from "@/lib/base/env-secrets";
import { repositoryRoot } from "./artifact-files";
import { requireFitKeys } from "./require-fit-keys";

const chain = (network: "test" | "live", local: boolean): ChainEnv => ({
  network,
  chainId: network === "live" ? 4663 : 46630,
  rpcUrl: "http://127.0.0.1:1",
  ledger: `0x${"11".repeat(20)}`,
  usdg: `0x${"22".repeat(20)}`,
  ledgerBlock: 0n,
  local,
  finality: "latest",
});
const chains = (test: boolean, live: boolean) => ({ test: chain("test", test), live: chain("live", live) });
const LIVE = chains(false, false);

let root: string;
const at = (file: string) => join(root, "circuits", file);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "halcyon-fit-keys-"));
  cpSync(join(repositoryRoot(), "circuits", "manifest.json"), at("manifest.json"));
  for (const { name } of CIRCUITS) {
    for (const kind of ["zkey", "vkey.json"]) {
      const file = `artifacts/${name}.${kind}`;
      cpSync(join(repositoryRoot(), "circuits", file), at(file));
    }
  }
});
afterEach(() => rmSync(root, { recursive: true }));

/** Changes every verification key, and the manifest accordingly. */
function changeKeys(change: (vkey: VerificationKey) => void, contributions?: Buffer): void {
  const manifest = JSON.parse(readFileSync(at("manifest.json"), "utf8"));
  manifest.development = false;
  for (const { name } of CIRCUITS) {
    const vkey = JSON.parse(readFileSync(at(`artifacts/${name}.vkey.json`), "utf8"));
    change(vkey);
    writeFileSync(at(`artifacts/${name}.vkey.json`), JSON.stringify(vkey));
    if (contributions) writeFileSync(at(`artifacts/${name}.zkey`), contributions);
    for (const kind of ["zkey", "vkey"] as const) {
      const bytes = readFileSync(at(`artifacts/${name}.${kind === "vkey" ? "vkey.json" : kind}`));
      manifest.circuits[name][kind] = createHash("sha256").update(bytes).digest("hex");
    }
  }
  writeFileSync(at("manifest.json"), JSON.stringify(manifest));
}

/** Returns a proving key with only its list of contributions; 1 is a beacon. */
function listing(...kinds: number[]): Buffer {
  const records = kinds.map((kind) => {
    const record = Buffer.alloc(384 + 8);
    record.writeUInt32LE(kind, 384);
    return record;
  });
  const section = Buffer.concat([Buffer.alloc(64), Buffer.from(Uint32Array.of(kinds.length).buffer), ...records]);
  const head = Buffer.alloc(24);
  head.write("zkey");
  head.writeUInt32LE(1, 8);
  head.writeUInt32LE(10, 12);
  head.writeBigUInt64LE(BigInt(section.length), 16);
  return Buffer.concat([head, section]);
}

const ofPublicPhaseOne = (vkey: VerificationKey) => {
  vkey.vk_alpha_1 = [...PUBLIC_PHASE_ONE.alpha, "1"];
  vkey.vk_beta_2 = [...PUBLIC_PHASE_ONE.beta.map((part) => [...part]), ["1", "0"]];
};
const starting = () => requireFitKeys(LIVE, root);

test("development keys never serve the public live chain", () => {
  expect(starting).toThrow(EnvError);
  expect(starting).toThrow("docs/ceremony.md");
  expect(() => requireFitKeys(chains(true, false), root)).toThrow("development keys");
});

test("nor do they when the manifest calls them a ceremony's", () => {
  changeKeys(() => {});
  expect(starting).toThrow("another phase 1 made it");
});

test("nor when the manifest does not say what they are", () => {
  const manifest = JSON.parse(readFileSync(at("manifest.json"), "utf8"));
  delete manifest.development;
  writeFileSync(at("manifest.json"), JSON.stringify(manifest));
  expect(starting).toThrow("development keys");
});

test("nor when they claim the public ceremony's phase 1 and one person made their phase 2", () => {
  changeKeys(ofPublicPhaseOne);
  expect(starting).toThrow("2 or more");
  changeKeys(ofPublicPhaseOne, listing(0, 0));
  expect(starting).toThrow("a beacon last");
});

test("nor do keys no one contributed to", () => {
  changeKeys(
    (vkey) => {
      ofPublicPhaseOne(vkey);
      vkey.vk_delta_2 = vkey.vk_gamma_2;
    },
    listing(0, 0, 1),
  );
  expect(starting).toThrow("gamma equals delta");
});

test("nor do other keys than the manifest records", () => {
  changeKeys(ofPublicPhaseOne, listing(0, 0, 1));
  writeFileSync(at("artifacts/release.zkey"), listing(0, 0, 0, 1));
  expect(starting).toThrow("release: not the recorded keys");
});

test("keys of a ceremony serve every chain; development keys serve local chains and the public test chain", () => {
  for (const test of [true, false]) requireFitKeys(chains(test, true), root);
  changeKeys(ofPublicPhaseOne, listing(0, 0, 1));
  requireFitKeys(LIVE, root);
  requireFitKeys(chains(true, false), root);
});
