import type { WalletCall, WalletTypedData } from "@/sdk/chain/wallet";

/**
 * Why an unlock message is signed for a backup: to open the root for it, to seal a copy for another wallet (twice), to
 * open such a copy.
 */
export type BackupReason = "back-up" | "seal-copy" | "seal-copy-again" | "open-copy";

/** What the wallet is asked to sign: by the vault's worker, by way of the page. */
export type SignatureRequest =
  /** `byContract`: the account's own wallet is a contract, whose code alone knows its signatures. */
  | { kind: "typed-data"; data: WalletTypedData; reason?: BackupReason; byContract?: boolean }
  | { kind: "message"; message: string }
  | { kind: "transaction"; call: WalletCall; chainId: number };
