import { readFile } from "node:fs/promises";
import { poseidon2, poseidon3 } from "poseidon-lite";
import { describe, expect, test } from "vitest";
import { FULL_ROUNDS, poseidonParameters } from "../build/poseidon-parameters.ts";
import { POSEIDON_CONSTANTS_FILE, renderPoseidonConstants } from "../build/render-poseidon-constants.ts";
import { mod, R } from "../witness/field.ts";

/** The permutation by the paper's definition, over the parameters that the templates are rendered from. */
function permute(input: bigint[]): bigint[] {
  const { roundConstants, matrix, partialRounds } = poseidonParameters(input.length);
  return roundConstants.reduce((state, constants, round) => {
    const isFull = round < FULL_ROUNDS / 2 || round >= FULL_ROUNDS / 2 + partialRounds;
    const powered = state.map((value, i) => {
      const sum = mod(value + (constants[i] as bigint));
      return isFull || i === 0 ? mod(sum ** 5n) : sum;
    });
    return matrix.map((row) => mod(row.reduce((sum, k, j) => sum + k * (powered[j] as bigint), 0n)));
  }, input);
}

const hex = (value: bigint) => value.toString(16).padStart(64, "0");

describe("Poseidon's constants", () => {
  // The paper's authors: extgit.iaik.tugraz.at/krypto/hadeshash, code/test_vectors.txt.
  test("yield the authors' own test vectors poseidonperm_x5_254_3 and poseidonperm_x5_254_5", () => {
    expect(permute([0n, 1n, 2n]).map(hex)).toEqual([
      "115cc0f5e7d690413df64c6b9662e9cf2a3617f2743245519e19607a4417189a",
      "0fca49b798923ab0239de1c9e7a4a9a2210312b6a2f616d18b5a87f9b628ae29",
      "0e7ae82e40091e63cbd4f16a6d16310b3729d4b6e138fcf54110e2867045a30c",
    ]);
    expect(permute([0n, 1n, 2n, 3n, 4n]).map(hex)).toEqual([
      "299c867db6c1fdd79dcefa40e4510b9837e60ebb1ce0663dbaa525df65250465",
      "1148aaef609aa338b27dafd89bb98862d8bb2b429aceac47d86206154ffe053d",
      "24febb87fed7462e23f6665ff9a0111f4044c38ee1672c1ac6b0637d34f24907",
      "0eb08f6d809668a981c186beaf6110060707059576406b248e5d9cf6e78b3d3e",
      "07748bc6877c9b82c8b98666ee9d0626ec7f5be4205f79ee8528ef1c4a376fc7",
    ]);
  });

  test.each([
    [0n, 0n, 0n],
    [1n, 2n, 3n],
    [5n, R - 1n, 2n ** 253n],
  ])("hash (%d, %d, %d) as poseidon-lite, an implementation of others, does", (...inputs) => {
    expect(permute([0n, ...inputs])[0]).toBe(poseidon3(inputs));
    expect(permute([0n, ...inputs.slice(0, 2)])[0]).toBe(poseidon2(inputs.slice(0, 2)));
    expect(permute([0n, ...inputs]).slice(0, 2)).toEqual(poseidon3(inputs, 2));
  });

  test("in the committed source are the derived ones", async () => {
    expect(await readFile(POSEIDON_CONSTANTS_FILE, "utf8")).toBe(renderPoseidonConstants());
  });
});
