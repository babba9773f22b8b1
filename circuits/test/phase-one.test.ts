import { createHash } from "node:crypto";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bn254 } from "@noble/curves/bn254.js";
import { curves, powersOfTau, type VerificationKey } from "snarkjs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adoptKeys } from "../build/adopt.ts";
import { readPhaseOneContributions } from "../build/contributions.ts";
import { publicPhaseOneFault } from "../build/live-keys-fault.ts";
import { artifacts, MANIFEST_FILE, PTAU_FILE } from "../build/paths.ts";
import { phaseOneFault } from "../build/phase-one-fault.ts";
import { PUBLIC_PHASE_ONE } from "../build/public-phase-one.ts";
import { endSnarkjs } from "./subject.ts";

const POWER = 2;
let folder: string;
/** Ceremonies of no, one and two people, without and with a beacon. */
let files: Record<"none" | "one" | "two" | "beacon" | "oneBeacon" | "twoBeacon" | "prepared", string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "halcyon-ptau-"));
  const curve = await curves.getCurveFromName("bn128");
  const at = (name: string) => join(folder, `${name}.ptau`);
  const beacon = (from: string, to: string) => powersOfTau.beacon(from, to, "beacon", "0102030405060708", 10);
  files = {
    none: at("none"),
    one: at("one"),
    two: at("two"),
    beacon: at("beacon"),
    oneBeacon: at("one-beacon"),
    twoBeacon: at("two-beacon"),
    prepared: at("prepared"),
  };
  await powersOfTau.newAccumulator(curve, POWER, files.none);
  await powersOfTau.contribute(files.none, files.one, "first", "entropy");
  await powersOfTau.contribute(files.one, files.two, "second", "entropy");
  await beacon(files.none, files.beacon);
  await beacon(files.one, files.oneBeacon);
  await beacon(files.two, files.twoBeacon);
  await powersOfTau.preparePhase2(files.twoBeacon, files.prepared);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await endSnarkjs();
});

/** The ceremony of a test, as if its file had been published. */
async function published(file: string) {
  return { ...PUBLIC_PHASE_ONE, power: POWER, blake2b: hash(await readFile(file)) };
}

const hash = (bytes: Uint8Array) => createHash("blake2b512").update(bytes).digest("hex");

/** Tries to adopt a file that someone has published, and returns why not. Nothing may have been written. */
async function refusal(bytes: Uint8Array): Promise<string> {
  const dir = await mkdtemp(join(folder, "adopt-"));
  await writeFile(join(dir, "powers-of-tau.ptau"), bytes);
  const before = await readFile(MANIFEST_FILE, "utf8");
  const ceremony = { ...PUBLIC_PHASE_ONE, power: POWER, blake2b: hash(bytes) };
  const error = await adoptKeys(dir, () => {}, ceremony).catch((thrown) => thrown);
  expect(await readFile(MANIFEST_FILE, "utf8")).toBe(before);
  return String(error);
}

describe("powers of tau for real money", () => {
  test("are never the development ones: adopting them is refused before anything is verified or written", async () => {
    await copyFile(PTAU_FILE, join(folder, "powers-of-tau.ptau"));
    const before = await readFile(MANIFEST_FILE, "utf8");
    const said: string[] = [];
    await expect(adoptKeys(folder, (line) => said.push(line))).rejects.toThrow("development powers of tau");
    expect(said).toEqual([]);
    expect(await readFile(MANIFEST_FILE, "utf8")).toBe(before);
  });

  test("are those of several people and a beacon, and of the very file that was published", async () => {
    expect(readPhaseOneContributions(await readFile(files.prepared))).toEqual([
      "contribution",
      "contribution",
      "beacon",
    ]);
    expect(await powersOfTau.verify(files.prepared)).toBe(true);
    expect(await phaseOneFault(files.prepared, await published(files.prepared))).toBeNull();
    expect(await phaseOneFault(files.prepared, { ...PUBLIC_PHASE_ONE, power: POWER })).toContain(
      "BLAKE2b hash differs",
    );
    expect(await phaseOneFault(files.prepared)).toContain("is for 2^2 constraints, not for 2^13");
  });

  test.each([
    ["none", "has 0 of at least 2"],
    ["beacon", "has 0 of at least 2"],
    ["one", "has 1 of at least 2"],
    ["oneBeacon", "has 1 of at least 2"],
    ["two", "has no beacon"],
  ] as const)("of %s are refused even when someone published them", async (name, fault) => {
    expect(await phaseOneFault(files[name], await published(files[name]))).toContain(fault);
    expect(await refusal(await readFile(files[name]))).toContain(fault);
  });

  test("cut short anywhere are refused", async () => {
    const whole = await readFile(files.prepared);
    for (const length of [0, 11, 40, 200, whole.length >> 1, whole.length - 1]) {
      expect(await refusal(whole.subarray(0, length))).toContain("not a whole file");
    }
  });

  test("that list a contribution that no one made, or one less, are refused", async () => {
    const whole = await readFile(files.prepared);
    for (const count of [2, 4]) {
      const forged = Buffer.from(whole);
      forged.writeUInt32LE(count, sectionStart(whole, 7));
      expect(await refusal(forged)).toContain("not a whole file");
    }
    const relabeled = Buffer.from(whole);
    relabeled.writeUInt32LE(0, recordKinds(whole)[2] ?? 0);
    expect(await refusal(relabeled)).toContain("has no beacon");
  });

  test("with a forged contribution do not verify", async () => {
    const whole = await readFile(files.prepared);
    const [first = 0, second = 0] = recordKinds(whole);
    // The first person's record in place of the second's, then one bit of a point and of a public key.
    const copied = Buffer.from(whole);
    whole.copy(copied, second - RECORD, first - RECORD, first);
    for (const forged of [copied, flipped(whole, second - RECORD), flipped(whole, second - 700)]) {
      expect(await refusal(forged)).toContain("does not verify");
    }
  });

  test("are refused for their hash alone where snarkjs checks nothing: the transcript of an earlier contribution", async () => {
    const whole = await readFile(files.prepared);
    const forged = join(folder, "transcript.ptau");
    await writeFile(forged, flipped(whole, (recordKinds(whole)[1] ?? 0) - 100));
    expect(await powersOfTau.verify(forged)).toBe(true);
    expect(await phaseOneFault(forged, await published(files.prepared))).toContain("BLAKE2b hash differs");
  });

  test("have the hash that snarkjs publishes", async () => {
    const readme = await readFile("node_modules/snarkjs/README.md", "utf8");
    const row = readme.split("\n").find((line) => line.includes(`[${PUBLIC_PHASE_ONE.file}]`));
    expect(/[0-9a-f]{128}/.exec(row ?? "")?.[0]).toBe(PUBLIC_PHASE_ONE.blake2b);
  });
});

describe("a key's alpha and beta", () => {
  test("of the public ceremony are points of their groups", () => {
    const { alpha, beta } = PUBLIC_PHASE_ONE;
    const [x, y] = beta.map(([c0, c1]) => ({ c0: BigInt(c0), c1: BigInt(c1) }));
    if (!x || !y) throw new Error("beta has two coordinates");
    bn254.G1.Point.fromAffine({ x: BigInt(alpha[0]), y: BigInt(alpha[1]) }).assertValidity();
    bn254.G2.Point.fromAffine({ x, y }).assertValidity();
  });

  test("differ in keys of another phase 1, whatever the manifest says", async () => {
    const vkey: VerificationKey = JSON.parse(await readFile(artifacts("transfer").vkey, "utf8"));
    expect(publicPhaseOneFault(vkey)).toContain("another phase 1");
    const beta = [...PUBLIC_PHASE_ONE.beta.map((part) => [...part]), ["1", "0"]];
    const key = { vk_alpha_1: [...PUBLIC_PHASE_ONE.alpha, "1"], vk_beta_2: beta };
    expect(publicPhaseOneFault(key)).toBeNull();
    expect(publicPhaseOneFault({ ...key, vk_alpha_1: vkey.vk_alpha_1 })).not.toBeNull();
    expect(publicPhaseOneFault({ ...key, vk_beta_2: vkey.vk_beta_2 })).not.toBeNull();
    expect(publicPhaseOneFault({ ...key, vk_alpha_1: [] })).not.toBeNull();
  });
});

function flipped(file: Buffer, at: number): Buffer {
  const changed = Buffer.from(file);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}

/** Bytes of a contribution in front of its kind. */
const RECORD = 9 * 64 + 5 * 128 + 216 + 64;

/** Where a section's contents start. */
function sectionStart(file: Buffer, wanted: number): number {
  let offset = 12;
  while (file.readUInt32LE(offset) !== wanted) offset += 12 + Number(file.readBigUInt64LE(offset + 4));
  return offset + 12;
}

/** Where the kind of each contribution stands. */
function recordKinds(file: Buffer): number[] {
  const start = sectionStart(file, 7);
  const kinds: number[] = [];
  let offset = start + 4;
  for (let i = 0; i < file.readUInt32LE(start); i++) {
    kinds.push(offset + RECORD);
    offset += RECORD + 8 + file.readUInt32LE(offset + RECORD + 4);
  }
  return kinds;
}
