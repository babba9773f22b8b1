import { readFileSync } from "node:fs";
import { poseidon3 } from "poseidon-lite";
import { describe, expect, it } from "vitest";
import { CIRCUITS as BUILT } from "@/circuits/build/circuits";
import { FIELD_ORDER } from "@/lib/ledger/crypto/field";
import { LEDGER_TYPES, PAYMENT_TYPE } from "@/lib/ledger/prepare/struct-types";
import { CIRCUITS } from "@/lib/ledger/prepare/witness";

const constants = readFileSync("contracts/src/Constants.sol", "utf8");
const structHashes = readFileSync("contracts/src/StructHashes.sol", "utf8");
const constant = (name: string) => BigInt(new RegExp(`constant ${name} = (\\d+);`).exec(constants)?.[1] ?? -1);

describe("the contract's constants", () => {
  it("are the commitments of nothing, as the circuits compute them", () => {
    expect(constant("EMPTY_NOTE")).toBe(poseidon3([1n, 0n, 0n]));
    expect(constant("EMPTY_AVAILABLE")).toBe(poseidon3([2n, 0n, 0n]));
    expect(constant("FIELD_ORDER")).toBe(FIELD_ORDER);
  });
});

describe("the contract's struct types", () => {
  const typeOf = (name: string, fields: readonly { name: string; type: string }[]) =>
    `${name}(${fields.map((field) => `${field.type} ${field.name}`).join(",")})`;
  const payment = typeOf("Payment", PAYMENT_TYPE);

  it.each(Object.entries(LEDGER_TYPES))("%s is the one that clients sign", (name, fields) => {
    const type = typeOf(name, fields);
    expect(structHashes).toContain(name === "TransferMany" ? `"${type}${payment}"` : `"${type}"`);
  });

  it("are all those that clients sign", () => {
    const types = [...structHashes.matchAll(/"(\w+)\(/g)].map((match) => match[1]);
    expect(types.filter((name) => name !== "Payment").sort()).toEqual(Object.keys(LEDGER_TYPES).sort());
  });
});

it("the circuits that clients prove with are those that are built", () => {
  expect([...CIRCUITS].sort()).toEqual(BUILT.map(({ name }) => name).sort());
});
