import type { Account } from "@/lib/accounts/create-account";
import type { Context } from "@/lib/context/context";
import { kycStatusOf } from "@/lib/kyc/kyc-status-of";
import type { KycStatus } from "@/lib/kyc/provider";

/** The caller's account, an agent's key its agent; identity is the owner's. */
export async function getAccount(ctx: Context): Promise<{ account: Account; kycStatus: KycStatus }> {
  return { account: ctx.account, kycStatus: await kycStatusOf(ctx.account.rootId, ctx.chainId) };
}
