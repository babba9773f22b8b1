import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zKey } from "snarkjs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { combinedKeyFault } from "../build/combined-check.ts";
import { contributionsFault, findSection, readContributions } from "../build/contributions.ts";
import { keptCircuit } from "../build/kept.ts";
import { artifacts, PTAU_FILE } from "../build/paths.ts";
import { renderVerificationKey } from "../build/verification-key.ts";
import { verificationKeyFault } from "../build/verification-key-fault.ts";
import { endSnarkjs } from "./subject.ts";

let r1cs: Buffer;
let ptau: Buffer;
let honest: Buffer;
/** What it begins with: no one has contributed. */
let nobody: Buffer;
beforeAll(async () => {
  [r1cs, ptau, honest] = (await Promise.all(
    [(await keptCircuit("release")).r1cs, PTAU_FILE, artifacts("release").zkey].map((file) => readFile(file)),
  )) as [Buffer, Buffer, Buffer];
  const start = { type: "mem" } as { type: "mem"; data?: Uint8Array };
  await zKey.newZKey(r1cs, ptau, start);
  nobody = Buffer.from(start.data as Uint8Array);
});
afterAll(endSnarkjs);

/** The key with a section changed in place. */
function forged(section: number, change: (bytes: Buffer) => void): Buffer {
  const key = Buffer.from(honest);
  change(findSection(key, section));
  return key;
}

/** Exchanges two elements of a section that differ: both stay what they should be, only for another wire. */
function exchange(size: number) {
  return (bytes: Buffer) => {
    const parts = Array.from({ length: bytes.length / size }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
    const other = parts.findIndex((part) => !part.equals(parts[0] as Buffer));
    const [a, b] = [parts[0], parts[other]].map((part) => Buffer.from(part as Buffer)) as [Buffer, Buffer];
    (parts[0] as Buffer).set(b);
    (parts[other] as Buffer).set(a);
  };
}

const G1 = 64;
const G2 = 128;
/** Where the header has delta in G2. */
const DELTA2 = 84 + 3 * G1 + 2 * G2;

describe("a proving key", () => {
  test("that the circuit, the powers of tau and its contributions make is accepted", async () => {
    expect(await combinedKeyFault(r1cs, ptau, honest)).toBeNull();
  });

  test.each([
    ["IC", 3, G1, "IC is not"],
    ["A", 5, G1, "A or B1 is not"],
    ["B1", 6, G1, "A or B1 is not"],
    ["B2", 7, G2, "B2 is not"],
    ["L", 8, G1, "L is not"],
    ["H", 9, G1, "header, H or contributions"],
  ])("with two points of %s exchanged is refused", async (_, section, size, fault) => {
    expect(await combinedKeyFault(r1cs, ptau, forged(section, exchange(size)))).toContain(fault);
  });

  test.each([
    ["G1", 5],
    ["G2", 7],
  ])("with a point that is not on the curve of %s is refused", async (curve, section) => {
    const key = forged(section, (bytes) => bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0));
    expect(await combinedKeyFault(r1cs, ptau, key)).toBe(`a point is not on ${curve}'s curve`);
  });

  test("whose prover would compute with another coefficient is refused", async () => {
    const key = forged(4, (bytes) => bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20));
    expect(await combinedKeyFault(r1cs, ptau, key)).toBe("its coefficients are others");
  });

  test("of another circuit is refused", async () => {
    expect(await combinedKeyFault(r1cs, ptau, await readFile(artifacts("transfer").zkey))).not.toBeNull();
  });

  test("with a delta that its contributions do not make is refused: with it one can forge proofs", async () => {
    const gamma = (bytes: Buffer) => bytes.copy(bytes, DELTA2, 84 + 2 * G1 + G2, 84 + 2 * G1 + 2 * G2);
    expect(await combinedKeyFault(r1cs, ptau, forged(2, gamma))).toContain("L is not");
    expect(await combinedKeyFault(r1cs, ptau, nobody)).toBeNull();
    // L and H undivided and delta 1, as if someone had contributed.
    const claimed = withSection(nobody, 10, findSection(honest, 10));
    expect(await combinedKeyFault(r1cs, ptau, claimed)).toContain("header, H or contributions");
  });

  test.each([
    ["alpha", 84],
    ["beta", 84 + G1],
  ])("with another %s is refused", async (_, at) => {
    const generator = 84 + 2 * G1 + 2 * G2;
    const key = forged(2, (bytes) => bytes.copy(bytes, at, generator, generator + G1));
    expect(await combinedKeyFault(r1cs, ptau, key)).toContain("header, H or contributions");
  });

  test("with a contribution that was changed is refused", async () => {
    const key = forged(10, (bytes) => bytes.writeUInt8(bytes.readUInt8(68 + 3 * G1 + G2) ^ 1, 68 + 3 * G1 + G2));
    expect(await combinedKeyFault(r1cs, ptau, key)).toContain("header, H or contributions");
  });

  test("with more wires than the circuit has is refused", async () => {
    const key = forged(2, (bytes) => bytes.writeUInt32LE(bytes.readUInt32LE(72) + 1, 72));
    expect(await combinedKeyFault(r1cs, ptau, key)).toBe("it has more or fewer wires than the circuit");
    const shorter = withSection(honest, 8, findSection(honest, 8).subarray(G1));
    expect(await combinedKeyFault(r1cs, ptau, shorter)).toBe("it has more or fewer points than the circuit");
  });
});

describe("a proving key no one contributed to", () => {
  test("has delta equal to gamma and is refused for it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "halcyon-keys-"));
    try {
      const file = join(folder, "nobody.zkey");
      await writeFile(file, nobody);
      expect(verificationKeyFault(JSON.parse(await renderVerificationKey(file)))).toContain("gamma equals delta");
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("is refused for its missing contributions", () => {
    expect(contributionsFault(readContributions(nobody), true)).toContain("has: none");
  });
});

/** A key with another section in place of its own. */
function withSection(key: Buffer, wanted: number, bytes: Buffer): Buffer {
  const parts = [key.subarray(0, 12)];
  for (let at = 12; at < key.length; ) {
    const size = Number(key.readBigUInt64LE(at + 4));
    if (key.readUInt32LE(at) === wanted) {
      const head = Buffer.from(key.subarray(at, at + 12));
      head.writeBigUInt64LE(BigInt(bytes.length), 4);
      parts.push(head, bytes);
    } else parts.push(key.subarray(at, at + 12 + size));
    at += 12 + size;
  }
  return Buffer.concat(parts);
}
