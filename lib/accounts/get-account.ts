import type { Account } from "@/lib/accounts/create-account";
import type { KeyContext } from "@/lib/context/context";
import { kycStatusOf } from "@/lib/kyc/kyc-status-of";
import type { KycStatus } from "@/lib/kyc/provider";

/** The account of an API key, and what that key may do. */
export interface KeyAccount {
  account: Account;
  kycStatus: KycStatus;
  key: Pick<KeyContext, "keyId" | "scopes">;
}

/** The caller's account, an agent's key its agent; identity is the owner's. */
export async function getAccount(ctx: KeyContext): Promise<KeyAccount> {
  const { account, keyId, scopes } = ctx;
  return { account, kycStatus: await kycStatusOf(account.rootId, ctx.chainId), key: { keyId, scopes } };
}
