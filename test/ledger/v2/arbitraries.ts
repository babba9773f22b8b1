import fc from "fast-check";
import { DAY_BOUND } from "@/lib/ledger/v2/crypto/window";
import { units } from "../arbitraries";

/** Inputs for property tests of the second edition's formats. */
export const day = fc.bigInt(0n, DAY_BOUND - 1n);
export const window = fc.record({ spent: units, day });
export const limits = fc.record({ perPayment: units, daily: units, threshold: units });
