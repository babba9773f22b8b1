import { type DecodeFunctionDataReturnType, decodeFunctionData, type Hex, toFunctionSelector } from "viem";
import { ledgerAbi } from "./abi/ledger";

/** A call of the ledger, by the name of its function. */
type LedgerCall = DecodeFunctionDataReturnType<typeof ledgerAbi>;

/** Each function by its selector. viem hashes the signature of one function after the other at each call. */
const FUNCTIONS = new Map<string, readonly [FunctionOfLedger]>(
  ledgerAbi.filter((item) => item.type === "function").map((item) => [toFunctionSelector(item), [item]]),
);
type FunctionOfLedger = Extract<(typeof ledgerAbi)[number], { type: "function" }>;

/**
 * Decodes a call of the ledger.
 *
 * @throws viem's error for other data
 */
export function decodeLedgerCall(data: Hex): LedgerCall {
  return decodeFunctionData({ abi: FUNCTIONS.get(data.slice(0, 10)) ?? [], data }) as LedgerCall;
}

/** Decodes a call of the ledger; returns null for other data. */
export function ledgerCallOf(data: Hex): LedgerCall | null {
  try {
    return decodeLedgerCall(data);
  } catch {
    return null;
  }
}
