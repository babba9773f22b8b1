import type { LocalAccount } from "viem/accounts";

// Next bundles routes separately: one account per process wants a place outside the modules.
const shared = globalThis as typeof globalThis & { halcyonAnchorAccount?: LocalAccount };

/** The account that anchors the audit log, when its key is in a KMS; undefined: it is one of RELAYER_SEED. */
export const anchorAccount = (): LocalAccount | undefined => shared.halcyonAnchorAccount;

/** Lets an account of a KMS anchor from now on. */
export function setAnchorAccount(account: LocalAccount | undefined): void {
  shared.halcyonAnchorAccount = account;
}
