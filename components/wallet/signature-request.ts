import type { WalletCall, WalletTypedData } from "@/sdk/chain/wallet";

/**
 * Why an unlock message is signed for a backup: to decrypt the account key for it, to encrypt a copy for another wallet
 * (signed twice), or to decrypt such a copy.
 */
export type BackupReason = "back-up" | "encrypt-copy" | "encrypt-copy-again" | "open-copy";

/** What the vault's worker asks the wallet to sign, through the page. */
export type SignatureRequest =
  /** `byContract`: whether the account's wallet is a contract, whose signatures only its own code can check. */
  | { kind: "typed-data"; data: WalletTypedData; reason?: BackupReason; byContract?: boolean }
  | { kind: "message"; message: string }
  | { kind: "transaction"; call: WalletCall; chainId: number };
