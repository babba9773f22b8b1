import type { Context } from "@/sdk/context/context";
import { type SealedParts, TransferOpener } from "@/sdk/transfers/transfer-opener";
import { funds } from "./funds";
import { openLowBalance, sealLowBalance } from "./low-balance";
import { unlock } from "./unlock";

/**
 * What unlocking needs, and what every page shows then: the vault's script begins with it. All else is a script of its
 * own (methods.ts), so that balances do not wait for it on a slow line.
 */
export const firstMethods = {
  funds,
  openLowBalance,
  /** Decrypts amount and memo of one listed transfer. */
  openTransfer: async (context: Context, input: SealedParts) => (await TransferOpener.of(context)).content(input),
  sealLowBalance,
  unlock,
};
