/** What each circuit is, for the build, its check and the tests. Public signals are in the order of the proof. */
export interface Circuit {
  name: CircuitName;
  /** Inputs that are arrays are expanded: `notes` of length 8 is eight signals. */
  publicSignals: { name: string; length: number }[];
  /** Name of the Solidity verifier; null where the proof never goes on chain. */
  verifier: string | null;
}

export type CircuitName =
  | "transfer"
  | "release"
  | "fund"
  | "make-available"
  | "balance"
  | "spend"
  | "spend-public"
  | "pay-many"
  | "at-least";

export const CIRCUITS: Circuit[] = [
  {
    name: "transfer",
    publicSignals: singles("oldAvailable", "newAvailable", "note", "ctx"),
    verifier: "TransferVerifier",
  },
  {
    name: "release",
    publicSignals: singles("oldAvailable", "newAvailable", "amount", "ctx"),
    verifier: "ReleaseVerifier",
  },
  { name: "fund", publicSignals: singles("fromOld", "fromNew", "toOld", "toNew", "ctx"), verifier: "FundVerifier" },
  {
    name: "make-available",
    publicSignals: [
      { name: "notes", length: 8 },
      ...singles("deposited", "oldAvailable", "newAvailable", "changeNote", "ctx"),
    ],
    verifier: "MakeAvailableVerifier",
  },
  {
    name: "balance",
    publicSignals: [{ name: "notes", length: 16 }, ...singles("available", "total", "ctx")],
    verifier: null,
  },
  {
    name: "spend",
    publicSignals: singles("oldAvailable", "newAvailable", "note", "policy", "terms", "encrypted", "ctx"),
    verifier: "SpendVerifier",
  },
  {
    name: "spend-public",
    publicSignals: singles("oldAvailable", "newAvailable", "amount", "policy", "terms", "ctx"),
    verifier: "SpendPublicVerifier",
  },
  {
    name: "pay-many",
    publicSignals: [...singles("oldAvailable", "newAvailable"), { name: "notes", length: 16 }, ...singles("ctx")],
    verifier: "PayManyVerifier",
  },
  {
    name: "at-least",
    publicSignals: [{ name: "notes", length: 16 }, ...singles("available", "minimum", "ctx")],
    verifier: null,
  },
];

function singles(...names: string[]) {
  return names.map((name) => ({ name, length: 1 }));
}
