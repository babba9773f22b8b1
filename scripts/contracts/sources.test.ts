import { readFileSync } from "node:fs";
import { poseidon3 } from "poseidon-lite";
import { describe, expect, it } from "vitest";
import { FIELD_ORDER } from "@/lib/ledger/crypto/field";
import { LEDGER_TYPES } from "@/lib/ledger/prepare/structs";

const constants = readFileSync("contracts/src/Constants.sol", "utf8");
const structHashes = readFileSync("contracts/src/StructHashes.sol", "utf8");

const constant = (name: string) => BigInt(new RegExp(`constant ${name} = (\\d+);`).exec(constants)?.[1] ?? -1);

describe("the contract's constants", () => {
  it("are the commitments of nothing, as the circuits compute them", () => {
    expect(constant("EMPTY_NOTE")).toBe(poseidon3([1n, 0n, 0n]));
    expect(constant("EMPTY_BUDGET")).toBe(poseidon3([2n, 0n, 0n]));
    expect(constant("FIELD_ORDER")).toBe(FIELD_ORDER);
  });
});

describe("the contract's struct types", () => {
  it.each(Object.entries(LEDGER_TYPES))("%s is the one that clients sign", (name, fields) => {
    const type = `${name}(${fields.map((field) => `${field.type} ${field.name}`).join(",")})`;
    expect(structHashes).toContain(`"${type}"`);
  });
});
