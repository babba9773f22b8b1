import { expect, test } from "vitest";
import { writeProgram } from "../derive/write-program.ts";
import type { Program, Sum } from "./program";
import { readProgram } from "./read-program";
import { runProgram } from "./run-program";

const sum = (constant: bigint, ...plain: number[]): Sum => ({ constant, plain, weighted: [], factors: [] });

/** A number of two bits, its square less 3, and the inverse of that. */
const program: Program = {
  inputs: [
    { name: "x", length: null },
    { name: "list", length: 2 },
  ],
  instructions: [
    { kind: "bits", sum: sum(0n, 1), count: 2 },
    { kind: "product", a: sum(0n, 1), b: sum(0n, 1), sum: sum(-3n) },
    { kind: "inverse", sum: sum(0n, 6) },
    { kind: "sum", sum: { constant: 0n, plain: [2], weighted: [3], factors: [2n ** 200n] } },
    { kind: "check", a: sum(0n, 6), b: sum(0n, 7), sum: sum(-1n) },
  ],
  wires: [0, 4, 5, 6, 8],
};
const file = writeProgram(program);

test("a program is read as it was written, and runs", () => {
  expect(readProgram(file)).toEqual(program);
  expect(runProgram(readProgram(file), { x: 3n, list: [7n, 1n] })).toEqual([1n, 1n, 1n, 6n, 7n + 2n ** 200n]);
});

test("a file cut short anywhere, with more behind it, of another version or of another kind is refused", () => {
  for (let length = 0; length < file.length; length++) expect(() => readProgram(file.subarray(0, length))).toThrow();
  expect(() => readProgram(Uint8Array.of(...file, 0))).toThrow("damaged");
  for (let at = 0; at < 5; at++) expect(() => readProgram(file.with(at, (file[at] as number) + 1))).toThrow("damaged");
});

test("a program that reads a slot before it is computed is refused", () => {
  const early = { ...program, instructions: program.instructions.toReversed() };
  expect(() => readProgram(writeProgram(early))).toThrow("damaged");
  expect(() => readProgram(writeProgram({ ...program, wires: [9] }))).toThrow("damaged");
});
