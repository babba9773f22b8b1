import type { Hex } from "viem";
import type { LedgerEvent } from "@/lib/ledger/ledger-events";

/**
 * What the ledger itself says about something that must happen on it, as of a block. `executed`: it has, and where it is
 * `indexed` the index shows it. `never`: it has not happened, and what it built on is gone or its time has passed.
 * `missed`: it happened, or may have, and the index does not show it.
 */
export type Finding =
  | { outcome: "executed"; txHash: Hex; blockNumber: bigint; events: LedgerEvent[]; indexed?: true }
  | { outcome: "never" }
  | { outcome: "missed" }
  | { outcome: "unsure" };
