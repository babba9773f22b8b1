import type { Hex } from "viem";
import type { LedgerEvent } from "@/lib/ledger/ledger-events";

/**
 * What the ledger shows about an operation, as of a block.
 *
 * - `executed`: it happened; `indexed` means that the index shows it.
 * - `never`: it has not happened and never will, because what it built on is gone or its deadline has passed.
 * - `missed`: it happened, or may have, and the index does not show it.
 * - `unsure`: this can't be decided yet.
 */
export type Finding =
  | { outcome: "executed"; txHash: Hex; blockNumber: bigint; events: LedgerEvent[]; indexed?: true }
  | { outcome: "never" }
  | { outcome: "missed" }
  | { outcome: "unsure" };
