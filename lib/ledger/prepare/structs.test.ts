import { readFileSync } from "node:fs";
import { type Address, type Hex, hashStruct, keccak256, stringToHex } from "viem";
import { describe, expect, it } from "vitest";
import fixture from "@/contracts/test/fixtures/structs.json";
import { commitmentToHex } from "../crypto/field";
import { LEDGER_TYPES, type LedgerMessages, type LedgerStruct, PAYMENT_TYPE } from "./struct-types";
import { ctxOf, digestOf, ledgerTypedData } from "./structs";

const scope = {
  ...fixture.scope,
  ledger: fixture.scope.ledger as Address,
  domainSalt: fixture.scope.domainSalt as Hex,
};
const names = Object.keys(LEDGER_TYPES) as LedgerStruct[];

const fieldsOf = (fields: readonly { name: string; type: string }[]) =>
  fields.map(({ name, type }) => `${type} ${name}`).join(",");
const typeOf = (name: LedgerStruct) =>
  `${name}(${fieldsOf(LEDGER_TYPES[name])})${name === "TransferMany" ? `Payment(${fieldsOf(PAYMENT_TYPE)})` : ""}`;

/** Converts every decimal string to its integer. */
function read(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(read);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, read(inner)]));
  }
  return typeof value === "string" && /^\d+$/.test(value) ? BigInt(value) : value;
}

describe("the structs that are signed", () => {
  it("are those of the contract's interface, field by field", () => {
    const source = readFileSync("contracts/src/interfaces/ILedger.sol", "utf8").replace(/\n\s*\/\/\/ ?/g, "");
    const stated = [...source.matchAll(/EIP-712: ((?:[A-Z]\w*\([^)]*\))+)/g)].map(([, type]) => type);
    expect(stated.sort()).toEqual(names.map(typeOf).sort());
  });

  it.each(names)("have a fixed type hash, struct hash, digest and ctx: %s", (name) => {
    const { message, type, typeHash, structHash, digest, ctx } = fixture.structs[name];
    expect(typeOf(name)).toBe(type);
    expect(keccak256(stringToHex(type))).toBe(typeHash);
    const data = read(message) as LedgerMessages[typeof name];
    const { types } = ledgerTypedData(scope, name, data);
    expect(hashStruct<Record<string, unknown>, string>({ types, primaryType: name, data: { ...data } })).toBe(
      structHash,
    );
    expect(digestOf(scope, name, data)).toBe(digest);
    expect(commitmentToHex(ctxOf(digest as Hex))).toBe(ctx);
  });

  it("have digests that keep all structs apart", () => {
    expect(new Set(names.map((name) => fixture.structs[name].digest)).size).toBe(names.length);
  });
});
