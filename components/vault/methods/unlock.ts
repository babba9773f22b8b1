import { unlockWithBackup } from "@/sdk/account/unlock-with-backup";
import type { WalletTypedData } from "@/sdk/chain/wallet";
import type { Context } from "@/sdk/context/context";
import type { Tools } from "./method";

/**
 * What decrypts the keys in place of the account's wallet. For `"wallet"`, the page asks for a second wallet's
 * signature.
 */
export type UnlockDecrypter = { recoveryCode: string } | "wallet";

/** Decrypts the account's keys and compares them with the ledger. They stay in the worker. */
export async function unlock(context: Context, opener: UnlockDecrypter | undefined, { ask }: Tools): Promise<void> {
  if (opener === undefined) {
    await context.vault();
    return;
  }
  const signTypedData = (data: WalletTypedData) => ask({ kind: "typed-data", data, reason: "open-copy" });
  await unlockWithBackup(context, opener === "wallet" ? { wallet: { signTypedData } } : opener);
}
