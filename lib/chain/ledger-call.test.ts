import { decodeFunctionData, type Hex, toFunctionSelector } from "viem";
import { expect, test } from "vitest";
import { ledgerAbi } from "./abi/ledger";
import { decodeLedgerCall, ledgerCallOf } from "./ledger-call";

const functions = ledgerAbi.filter((item) => item.type === "function");

function outcomeOf(decode: () => unknown): unknown {
  try {
    return decode();
  } catch (error) {
    return (error as Error).name;
  }
}

test.each(functions.map((item) => [item.name, toFunctionSelector(item)] as const))(
  "a call of %s is decoded as by the whole ABI",
  (functionName, selector) => {
    // Offsets of tuples and lists point at zeros, and what is static is zero.
    for (const data of [selector, `${selector}${"00".repeat(32 * 40)}`] as Hex[]) {
      const decoded = outcomeOf(() => decodeLedgerCall(data));
      expect(decoded).toEqual(outcomeOf(() => decodeFunctionData({ abi: ledgerAbi, data })));
      if (typeof decoded === "object") expect(decoded).toMatchObject({ functionName });
    }
  },
);

test("what is no call of the ledger is none", () => {
  expect(["0x", "0x12", "0xffffffff"].map((data) => ledgerCallOf(data as Hex))).toEqual([null, null, null]);
});
