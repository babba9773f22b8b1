import type { LocalAccount } from "viem/accounts";

// Next bundles routes separately, so each bundle has its own copy of this module. Keep the one account on globalThis.
const shared = globalThis as typeof globalThis & { halcyonAnchorAccount?: LocalAccount };

/**
 * Returns the account that anchors the audit log if its key is in a KMS; undefined if it is derived from RELAYER_SEED.
 */
export const anchorAccount = (): LocalAccount | undefined => shared.halcyonAnchorAccount;

/** Makes an account of a KMS the one that anchors from now on. */
export function setAnchorAccount(account: LocalAccount | undefined): void {
  shared.halcyonAnchorAccount = account;
}
