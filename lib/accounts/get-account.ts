import type { Account } from "@/lib/accounts/create-account";
import { kycStatusOf } from "@/lib/accounts/kyc/kyc-status-of";
import type { KycStatus } from "@/lib/accounts/kyc/provider";
import type { KeyContext } from "@/lib/base/context/context";

/** The account of an API key, and what that key may do. */
export interface KeyAccount {
  account: Account;
  kycStatus: KycStatus;
  key: Pick<KeyContext, "keyId" | "scopes">;
}

/** Returns the account of the caller's key; for an agent's key, the agent. The KYC status is that of the owner. */
export async function getAccount(ctx: KeyContext): Promise<KeyAccount> {
  const { account, keyId, scopes } = ctx;
  return { account, kycStatus: await kycStatusOf(account.rootId, ctx.chainId), key: { keyId, scopes } };
}
