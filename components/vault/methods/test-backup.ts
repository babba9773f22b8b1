import type { Hex } from "viem";
import { testBackup as test } from "@/sdk/account/backups";
import type { WalletTypedData } from "@/sdk/chain/wallet";
import type { Context } from "@/sdk/context/context";
import type { Tools } from "./method";

/** An encrypted copy, and what should decrypt it. */
export interface TestBackupInput {
  encrypted: Hex;
  opener: { recoveryCode: string } | "wallet";
}

/** Decrypts a backup in the worker and compares it with the account's keys. Rejects if they differ. */
export function testBackup(context: Context, { encrypted, opener }: TestBackupInput, { ask }: Tools): Promise<void> {
  const signTypedData = (data: WalletTypedData) => ask({ kind: "typed-data", data, reason: "open-copy" });
  return test(context, { encrypted, opener: opener === "wallet" ? { wallet: { signTypedData } } : opener });
}
