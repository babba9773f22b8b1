import fc from "fast-check";
import { type FileRef, groth16, type VerificationKey } from "snarkjs";
import type { Hex } from "viem";
import { beforeAll, expect, test } from "vitest";
import { honestInputs } from "@/circuits/test/honest-inputs";
import { readProgram } from "@/circuits/witness/read-program";
import { runProgram } from "@/circuits/witness/run-program";
import { FIELD_ORDER } from "@/lib/ledger/crypto/field";
import { CIRCUITS } from "@/lib/ledger/prepare/witness";
import { artifactFiles, repositoryRoot } from "./artifact-files";
import { type Blinding, loadProvingKey, type ProvingKey, proveGroth16, publicSignalsOf } from "./groth16-prove";
import { loadVerifyingKey, verifyGroth16 } from "./groth16-verify";
import { SLOTS_AT } from "./kernel/affine-code";
import { Kernel } from "./kernel/kernel";
import { PLAIN_ONE_AT } from "./kernel/ntt-code";
import { type ReferencePoint, reference } from "./kernel/reference";
import { asSnarkjsProof, ofSnarkjsProof, witnessFile } from "./snarkjs-for-tests";
import { witnessBytes } from "./witness-bytes";

const artifacts = artifactFiles(repositoryRoot());
let kernel: Kernel;
let snarkjs: ReferencePoint;
beforeAll(async () => {
  kernel = await Kernel.build();
  snarkjs = await reference();
});

/** Returns snarkjs's own proof, with these scalars instead of random ones. */
async function proofOfSnarkjs(zkey: FileRef, witness: Uint8Array, { r, s }: Blinding): Promise<Hex> {
  const { scalars } = snarkjs;
  const drawn = [r, s].map((value) => scalars.e(value));
  const random = scalars.random;
  scalars.random = () => drawn.shift() as Uint8Array;
  try {
    return ofSnarkjsProof((await groth16.prove(zkey, witnessFile(witness))).proof);
  } finally {
    scalars.random = random;
  }
}

const blinding = fc.record({
  r: fc.oneof(fc.constantFrom(0n, 1n, FIELD_ORDER - 1n), fc.bigInt({ min: 0n, max: FIELD_ORDER - 1n })),
  s: fc.oneof(fc.constantFrom(0n, 1n, FIELD_ORDER - 1n), fc.bigInt({ min: 0n, max: FIELD_ORDER - 1n })),
});

test.each(CIRCUITS)(
  "a proof of %s is snarkjs' own, for one witness and one blinding, and both verify it",
  async (name) => {
    const program = readProgram(await artifacts.read(`${name}.witness`));
    const zkey = await artifacts.read(`${name}.zkey`);
    const vkey = JSON.parse(new TextDecoder().decode(await artifacts.read(`${name}.vkey.json`))) as VerificationKey;
    const mark = kernel.mark();
    const verifying = loadVerifyingKey(kernel, vkey);
    // The largest tables take seconds to build, and their effect is the same for every circuit.
    const keys = name === "transfer" || name === "release" ? [false, true] : [false];
    const [first, ...others] = keys.map((tables) => loadProvingKey(kernel, zkey, tables)) as [
      ProvingKey,
      ...ProvingKey[],
    ];
    await fc.assert(
      fc.asyncProperty(honestInputs[name], blinding, async (input, blinds) => {
        const witness = witnessBytes(runProgram(program, input));
        const proof = proveGroth16(kernel, first, witness, blinds);
        expect(proof).toBe(await proofOfSnarkjs(zkey, witness, blinds));
        for (const key of others) expect(proveGroth16(kernel, key, witness, blinds)).toBe(proof);
        const signals = publicSignalsOf(first, witness);
        expect(verifyGroth16(kernel, verifying, proof, signals)).toBe(true);
        expect(await groth16.verify(vkey, signals.map(String), asSnarkjsProof(proof))).toBe(true);
        expect(verifyGroth16(kernel, verifying, proof, signals.with(0, (signals[0] as bigint) ^ 1n))).toBe(false);
      }),
      { numRuns: name === "transfer" ? 4 : 1 },
    );
    kernel.release(mark);
  },
);

const wire = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0n) },
  fc.constantFrom(1n, 2n, FIELD_ORDER - 1n, FIELD_ORDER - 2n, 1n << 253n, (1n << 253n) - 1n),
  fc.bigInt(0n, FIELD_ORDER - 1n),
);

test("with any numbers in place of a witness it computes what snarkjs computes, and no verifier believes it", async () => {
  const zkey = await artifacts.read("release.zkey");
  const vkey = JSON.parse(new TextDecoder().decode(await artifacts.read("release.vkey.json"))) as VerificationKey;
  const mark = kernel.mark();
  const verifying = loadVerifyingKey(kernel, vkey);
  const plain = loadProvingKey(kernel, zkey, false);
  const keys = [plain, loadProvingKey(kernel, zkey, true)];
  const { nVars } = plain;
  const filled = (value: bigint) => Array<bigint>(nVars).fill(value);
  const some = fc.array(wire, { minLength: nVars, maxLength: nVars, size: "max" });
  const garbage = fc.oneof(fc.constantFrom(filled(0n), filled(1n), filled(FIELD_ORDER - 1n)), some);
  await fc.assert(
    fc.asyncProperty(garbage, blinding, async (values, blinds) => {
      const witness = witnessBytes([1n, ...values.slice(1)]);
      const expected = await proofOfSnarkjs(zkey, witness, blinds);
      for (const key of keys) {
        expect(proveGroth16(kernel, key, witness, blinds)).toBe(expected);
      }
      expect(verifyGroth16(kernel, verifying, expected, publicSignalsOf(plain, witness))).toBe(false);
    }),
    { numRuns: 6 },
  );
  kernel.release(mark);
});

test("a key and a witness that are views of a larger buffer, at any offset, prove the same", async () => {
  const program = readProgram(await artifacts.read("release.witness"));
  const zkey = await artifacts.read("release.zkey");
  const [input] = fc.sample(honestInputs.release, 1) as [Parameters<typeof runProgram>[1]];
  const witness = witnessBytes(runProgram(program, input));
  const blinds = { r: 5n, s: 7n };
  const mark = kernel.mark();
  const expected = proveGroth16(kernel, loadProvingKey(kernel, zkey, false), witness, blinds);
  // Buffer.slice returns a view, Uint8Array.slice a copy.
  for (const before of [0, 1, 4]) {
    const view = (bytes: Uint8Array) => Buffer.concat([Buffer.alloc(before), bytes, Buffer.alloc(3)]);
    const within = (bytes: Uint8Array) => view(bytes).subarray(before, before + bytes.length);
    const key = loadProvingKey(kernel, within(zkey), false);
    expect(proveGroth16(kernel, key, within(witness), blinds)).toBe(expected);
  }
  kernel.release(mark);
});

test("a damaged proving key is refused before anything is computed with it", async () => {
  const zkey = await artifacts.read("release.zkey");
  const view = new DataView(zkey.buffer, zkey.byteOffset);
  const sections = new Map<number, { at: number; length: number }>();
  for (let at = 12; at < zkey.length; ) {
    const length = Number(view.getBigUint64(at + 4, true));
    sections.set(view.getUint32(at, true), { at: at + 12, length });
    at += 12 + length;
  }
  const [header, coefficients, pointsH] = [2, 4, 9].map((id) => sections.get(id)?.at ?? 0) as [number, number, number];
  const changed = (at: number, value: number) => {
    const copy = zkey.slice();
    new DataView(copy.buffer).setUint32(at, value, true);
    return copy;
  };
  const damaged = [
    changed(header + 72, 5), // signals
    changed(header + 76, 5), // public signals
    changed(header + 80, 3), // size of the domain
    changed(coefficients + 4, 2), // matrix of a coefficient, its constraint, its signal
    changed(coefficients + 8, 1 << 30),
    changed(coefficients + 12, 1 << 30),
  ];
  const mark = kernel.mark();
  for (const file of damaged) expect(() => loadProvingKey(kernel, file, false)).toThrow("is damaged");
  for (const end of [header, pointsH + 64])
    expect(() => loadProvingKey(kernel, zkey.subarray(0, end), false)).toThrow();
  expect(() => loadProvingKey(kernel, new Uint8Array(64), false)).toThrow("not a proving key");
  expect(kernel.mark()).toBe(mark);
});

test("a proof leaves nothing of its witness in the kernel's memory", async () => {
  const zkey = await artifacts.read("transfer.zkey");
  const program = readProgram(await artifacts.read("transfer.witness"));
  const key = loadProvingKey(kernel, zkey, false);
  const mark = kernel.mark();
  const [input] = fc.sample(honestInputs.transfer, 1) as [Parameters<typeof runProgram>[1]];
  proveGroth16(kernel, key, witnessBytes(runProgram(program, input)));
  expect(kernel.mark()).toBe(mark);
  const ours = [kernel.bytes().subarray(mark), kernel.bytes().subarray(SLOTS_AT, PLAIN_ONE_AT)];
  for (const bytes of ours) expect(bytes.every((byte) => byte === 0)).toBe(true);
});

test("a witness of another circuit is refused", async () => {
  const key = loadProvingKey(kernel, await artifacts.read("release.zkey"), false);
  expect(() => proveGroth16(kernel, key, new Uint8Array(32))).toThrow("another circuit");
});
