import { type Backup, createBackup as create } from "@/sdk/account/backups";
import type { WalletTypedData } from "@/sdk/chain/wallet";
import type { Context } from "@/sdk/context/context";
import type { Tools } from "./method";

/** What will decrypt the backup: a code generated in the page, or the wallet that the person connects. */
interface CreateBackupInput {
  label: string;
  opener: { recoveryCode: string } | "wallet";
}

/** Encrypts a copy of the account key for a recovery code or a second wallet. The account key stays in the worker. */
export function createBackup(context: Context, { label, opener }: CreateBackupInput, { ask }: Tools): Promise<Backup> {
  const { wallet } = context;
  let asked = 0;
  const second = {
    signTypedData: (data: WalletTypedData) => {
      asked += 1;
      return ask({ kind: "typed-data", data, reason: asked === 1 ? "encrypt-copy" : "encrypt-copy-again" });
    },
  };
  const own = {
    address: wallet.address,
    signMessage: wallet.signMessage,
    signTypedData: (data: WalletTypedData) => ask({ kind: "typed-data", data, reason: "back-up" }),
  };
  return create(context, { label, opener: opener === "wallet" ? { wallet: second } : opener }, own);
}
