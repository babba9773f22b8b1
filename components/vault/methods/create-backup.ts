import { type Backup, createBackup as create } from "@/sdk/account/backups";
import type { WalletTypedData } from "@/sdk/chain/wallet";
import type { Context } from "@/sdk/context/context";
import type { Tools } from "./method";

/** What decrypts the backup: a code that was made in the page, or the wallet the person connects. */
export interface CreateBackupInput {
  label: string;
  opener: { recoveryCode: string } | "wallet";
}

/** Encrypts a copy of the root in the worker, for a recovery code or for a second wallet. The root stays there. */
export function createBackup(context: Context, { label, opener }: CreateBackupInput, { ask }: Tools): Promise<Backup> {
  const { wallet } = context;
  let asked = 0;
  const second = {
    signTypedData: (data: WalletTypedData) => {
      asked += 1;
      return ask({ kind: "typed-data", data, reason: asked === 1 ? "seal-copy" : "seal-copy-again" });
    },
  };
  const own = {
    address: wallet.address,
    signMessage: wallet.signMessage,
    signTypedData: (data: WalletTypedData) => ask({ kind: "typed-data", data, reason: "back-up" }),
  };
  return create(context, { label, opener: opener === "wallet" ? { wallet: second } : opener }, own);
}
