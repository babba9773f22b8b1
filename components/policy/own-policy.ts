import type { SpendPolicy } from "@/sdk/api/resources/transfers";

/** A policy as its owner's session sees it, with whether the ledger enforces it now. */
export interface OwnPolicy extends SpendPolicy {
  /** `pending`: sent to the chain. `no`: nothing is paid under it until it is signed again. */
  in_force: "yes" | "pending" | "no";
}

/** The limits of an account's own keys. */
export type OwnLimits = Omit<OwnPolicy, "policy_id">;
