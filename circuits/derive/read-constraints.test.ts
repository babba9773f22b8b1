import { readFile } from "node:fs/promises";
import { r1cs } from "snarkjs";
import { expect, test } from "vitest";
import { keptCircuit } from "../build/kept.ts";
import { readR1cs, type Terms } from "./read-constraints.ts";

test("the constraints of a circuit are those that snarkjs reads", async () => {
  const { r1cs: file } = await keptCircuit("transfer");
  const { constraints, ...counts } = readR1cs(await readFile(file));
  const snarkjs = await r1cs.exportJson(file);
  expect(counts).toEqual({
    wireCount: snarkjs.nVars,
    outputCount: snarkjs.nOutputs,
    publicCount: snarkjs.nPubInputs,
    privateCount: snarkjs.nPrvInputs,
  });
  const asJson = (terms: Terms) => Object.fromEntries(terms.map(([wire, k]) => [wire, String(k)]));
  expect(constraints.map((rows) => rows.map(asJson))).toEqual(snarkjs.constraints);
});
