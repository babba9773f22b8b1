import type { Context } from "@/sdk/context/context";
import { type EncryptedParts, TransferDecrypter } from "@/sdk/payments/transfers/transfer-opener";
import { funds } from "./funds";
import { decryptLowBalance, encryptLowBalance } from "./low-balance";
import { unlock } from "./unlock";

/**
 * The methods needed to unlock and to show what every page shows. They are part of the vault's first script. All others
 * are in a second script (methods.ts), so that balances do not wait for it on a slow connection.
 */
export const firstMethods = {
  funds,
  decryptLowBalance,
  /** Decrypts the amount and memo of a listed transfer. */
  openTransfer: async (context: Context, input: EncryptedParts) => (await TransferDecrypter.of(context)).content(input),
  encryptLowBalance,
  unlock,
};
