import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { groth16 } from "snarkjs";
import type { Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UnsatisfiedCircuit } from "@/circuits/witness/unsatisfied-circuit";
import { bigintToBytes, fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { FIELD_ORDER } from "@/lib/ledger/crypto/field";
import { toProofCalldata } from "@/lib/ledger/prepare/proof";
import { transferPlan } from "@/test/prover/transfer-plan";
import { repositoryRoot } from "./artifact-files";
import { createServerProver } from "./create-server-prover";
import type { Prover } from "./prover";

let prover: Prover;

beforeAll(async () => {
  prover = await createServerProver({ workers: 1, tablesAfter: 0 });
});
afterAll(() => prover.close());

function verifiedBySnarkjs(proof: Hex, publicSignals: bigint[]): Promise<boolean> {
  const vkey = JSON.parse(readFileSync(join(repositoryRoot(), "circuits/artifacts/transfer.vkey.json"), "utf8"));
  const { a, b, c } = toProofCalldata(proof);
  const text = (values: readonly bigint[]) => values.map(String);
  return groth16.verify(vkey, text(publicSignals), {
    protocol: "groth16",
    curve: "bn128",
    pi_a: [...text(a), "1"],
    pi_b: [text(b[0].toReversed()), text(b[1].toReversed()), ["1", "0"]],
    pi_c: [...text(c), "1"],
  });
}

describe("the server's prover", () => {
  it("makes proofs that snarkjs verifies, for exactly the planned public signals", async () => {
    const { call, input } = await transferPlan();
    const proven = await prover.prove("transfer", input);
    expect(proven.publicSignals).toEqual(call.publicSignals);
    expect(fromHex(proven.proof)).toHaveLength(256);
    expect(await verifiedBySnarkjs(proven.proof, proven.publicSignals)).toBe(true);
    expect(await prover.verify("transfer", proven.proof, proven.publicSignals)).toBe(true);
    expect(await verifiedBySnarkjs(proven.proof, proven.publicSignals.with(2, 1n))).toBe(false);
  });

  it("blinds: the same input twice gives two proofs", async () => {
    const { input } = await transferPlan();
    const [one, two] = await Promise.all([prover.prove("transfer", input), prover.prove("transfer", input)]);
    expect(one.proof).not.toBe(two.proof);
  });

  it("refuses proofs with any coordinate, public signal or length changed", async () => {
    const { input } = await transferPlan();
    const { proof, publicSignals } = await prover.prove("transfer", input);
    const verify = (bytes: Uint8Array | Hex, signals: bigint[] = publicSignals) =>
      prover.verify("transfer", typeof bytes === "string" ? bytes : toHex(bytes), signals);
    for (let at = 31; at < 256; at += 32) {
      const changed = fromHex(proof);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(await verify(changed)).toBe(false);
    }
    for (let i = 0; i < publicSignals.length; i++) {
      expect(await verify(proof, publicSignals.with(i, (publicSignals[i] ?? 0n) + 1n))).toBe(false);
      expect(await verify(proof, publicSignals.with(i, (publicSignals[i] ?? 0n) + FIELD_ORDER))).toBe(false);
    }
    expect(await verify(proof, publicSignals.slice(1))).toBe(false);
    expect(await verify(proof.slice(0, -2) as Hex)).toBe(false);
    expect(await verify("0x")).toBe(false);
    expect(await verify(new Uint8Array(256))).toBe(false);
    // x + q is the same point for code that does not check the range. The chain's precompile refuses it.
    const unreduced = fromHex(proof);
    const q = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;
    unreduced.set(bigintToBytes(toProofCalldata(proof).a[0] + q, 32), 0);
    expect(await verify(unreduced)).toBe(false);
    expect(await verify(proof)).toBe(true);
  });

  it("refuses an input that does not satisfy the circuit, and proves the next", async () => {
    const { input } = await transferPlan();
    for (const wrong of [
      { ...input, amount: 1n },
      { ...input, ctx: FIELD_ORDER },
      { ...input, ctx: -1n },
      { ...input, extra: 1n },
      { ctx: 1n },
    ]) {
      await expect(prover.prove("transfer", wrong)).rejects.toBeInstanceOf(UnsatisfiedCircuit);
    }
    const { proof, publicSignals } = await prover.prove("transfer", input);
    expect(await prover.verify("transfer", proof, publicSignals)).toBe(true);
  });

  it.each([1, 0.5])(
    "proves as well before, while and after an often used key gets its tables (after %d)",
    async (after) => {
      const { call, input } = await transferPlan();
      const growing = await createServerProver({ workers: 1, tablesAfter: after });
      try {
        for (const pause of [0, 120, 0]) {
          const { proof, publicSignals } = await growing.prove("transfer", input);
          expect(publicSignals).toEqual(call.publicSignals);
          expect(await growing.verify("transfer", proof, publicSignals)).toBe(true);
          expect(await verifiedBySnarkjs(proof, publicSignals)).toBe(true);
          await sleep(pause);
        }
      } finally {
        await growing.close();
      }
    },
  );
});
