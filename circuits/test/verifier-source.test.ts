import { readFile } from "node:fs/promises";
import { bn254 } from "@noble/curves/bn254.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import type { VerificationKey } from "snarkjs";
import { describe, expect, test } from "vitest";
import { CIRCUITS } from "../build/circuits.ts";
import { artifacts, verifierFile } from "../build/paths.ts";
import { verifierSource } from "../build/verifier-source.ts";

const { G1, G2, fields } = bn254;
const ORIGIN = "Written by circuits/test/verifier-source.test.ts (`npx vitest -u`): anyone can forge its proofs.";
const SIGNALS = 20;

/** A key whose secrets are hashes of their names: contracts/test/TrapdoorVerifier.t.sol makes proofs with them. */
function knownKey(signals: number): VerificationKey {
  return {
    protocol: "groth16",
    curve: "bn128",
    nPublic: signals,
    vk_alpha_1: inG1(secret("alpha")),
    vk_beta_2: inG2(secret("beta")),
    vk_gamma_2: inG2(secret("gamma")),
    vk_delta_2: inG2(secret("delta")),
    vk_alphabeta_12: [],
    IC: Array.from({ length: signals + 1 }, (_, i) => inG1(secret("ic", i))),
  };
}

function secret(name: string, ...index: number[]): bigint {
  const hash = keccak_256(Buffer.concat([Buffer.from(name), Buffer.from(index)]));
  return BigInt(`0x${Buffer.from(hash).toString("hex")}`) % fields.Fr.ORDER;
}

function inG1(scalar: bigint): string[] {
  const { x, y } = G1.Point.BASE.multiply(scalar).toAffine();
  return [`${x}`, `${y}`, "1"];
}

function inG2(scalar: bigint): string[][] {
  const { x, y } = G2.Point.BASE.multiply(scalar).toAffine();
  return [
    [`${x.c0}`, `${x.c1}`],
    [`${y.c0}`, `${y.c1}`],
    ["1", "0"],
  ];
}

/** The constants of a source by name. */
function constantsOf(source: string): Map<string, bigint> {
  const found = source.matchAll(/uint256 private constant (\w+) = (\d+);/g);
  return new Map([...found].map(([, name = "", value = ""]) => [name, BigInt(value)]));
}

describe("the source of a verifier", () => {
  test("with known secrets is the one the Solidity tests make proofs for", async () => {
    const source = verifierSource(knownKey(SIGNALS), "TrapdoorVerifier", ORIGIN);
    await expect(source).toMatchFileSnapshot("../../contracts/test/helpers/TrapdoorVerifier.sol");
  });

  test.each(CIRCUITS.filter(({ verifier }) => verifier !== null))(
    "of $name holds the negations of alpha, delta and each signal's point, and beta and gamma as they are",
    async (circuit) => {
      const vkey: VerificationKey = JSON.parse(await readFile(artifacts(circuit.name).vkey, "utf8"));
      const held = constantsOf(await readFile(verifierFile(circuit) ?? "", "utf8"));
      const at = (name: string) => held.get(name) ?? -1n;
      const g1 = (name: string) => G1.Point.fromAffine({ x: at(`${name}_X`), y: at(`${name}_Y`) });
      const g2 = (name: string) =>
        G2.Point.fromAffine({
          x: { c0: at(`${name}_X_R`), c1: at(`${name}_X_I`) },
          y: { c0: at(`${name}_Y_R`), c1: at(`${name}_Y_I`) },
        });
      const keyG1 = ([x = "", y = ""]: string[]) => G1.Point.fromAffine({ x: BigInt(x), y: BigInt(y) });
      const keyG2 = ([x = [], y = []]: string[][]) =>
        G2.Point.fromAffine({
          x: { c0: BigInt(x[0] ?? ""), c1: BigInt(x[1] ?? "") },
          y: { c0: BigInt(y[0] ?? ""), c1: BigInt(y[1] ?? "") },
        });
      expect(g1("MINUS_ALPHA").add(keyG1(vkey.vk_alpha_1)).is0()).toBe(true);
      expect(g2("MINUS_DELTA").add(keyG2(vkey.vk_delta_2)).is0()).toBe(true);
      expect(g2("BETA").equals(keyG2(vkey.vk_beta_2))).toBe(true);
      expect(g2("GAMMA").equals(keyG2(vkey.vk_gamma_2))).toBe(true);
      for (const [i, point] of vkey.IC.entries()) expect(g1(`MINUS_IC${i}`).add(keyG1(point)).is0()).toBe(true);
      expect(at("ORDER")).toBe(fields.Fr.ORDER);
    },
  );

  test.each([1, 4, 20])("of %i signals checks and adds each of them once", (signals) => {
    const source = verifierSource(knownKey(signals), "Some", ORIGIN);
    for (let i = 0; i < signals; i++) {
      const at = i === 0 ? "signals" : `add(signals, 0x${(32 * i).toString(16)})`;
      const sum = `addMultiple(MINUS_IC${i + 1}_X, MINUS_IC${i + 1}_Y, calldataload(${at}))`;
      expect(source.split(sum)).toHaveLength(2);
    }
    expect(source.match(/addMultiple\(/g)).toHaveLength(signals + 1);
    expect(source.match(/lt\(factor, ORDER\)/g)).toHaveLength(1);
    expect(source).toContain(`uint256[${signals}] calldata signals`);
  });

  test("is refused to a key that binds a signal by nothing, lacks a point or is of another curve", () => {
    const key = knownKey(2);
    const [ic0 = [], ic1 = []] = key.IC;
    const refused = (changed: Partial<VerificationKey>) => () => verifierSource({ ...key, ...changed }, "Some", ORIGIN);
    expect(refused({ IC: [ic0, ic1, ["0", "1", "0"]] })).toThrow("infinity");
    expect(refused({ IC: [ic0, ic1] })).toThrow("number of signals");
    expect(refused({ curve: "bls12381" })).toThrow("BN254");
    expect(refused({ vk_alpha_1: ["1); selfdestruct(0", "2", "1"] })).toThrow("MINUS_ALPHA_X");
  });
});
