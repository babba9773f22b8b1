import type { Account } from "@/lib/accounts/create-account";
import { type Enrollment, getEnrollment } from "@/lib/accounts/get-enrollment";
import { kycStatusOf } from "@/lib/accounts/kyc/kyc-status-of";
import type { KycStatus } from "@/lib/accounts/kyc/provider";
import type { Context, KeyContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";

/** An account on one network. */
export interface AccountView {
  account: Account;
  kycStatus: KycStatus;
  /** The API key that asks, if one does. */
  key?: Pick<KeyContext, "keyId" | "scopes"> | undefined;
  /** What the ledger has of it, and its settings, if asked for. */
  enrollment?: Enrollment | undefined;
}

/**
 * Returns the account of the caller; for an agent's key, the agent. The KYC status is that of the owner.
 *
 * @param include with `ledger`, adds what the ledger has of the account, and its settings
 * @throws ApiError `not_agent_owner` for an agent that asks for that
 */
export async function getAccount(
  ctx: Context,
  { include }: { include?: "ledger" | undefined } = {},
): Promise<AccountView> {
  const { account, chainId } = ctx;
  if (include && account.type === "agent") {
    throw new ApiError("not_agent_owner", "Only the agent's owner may read this. Use the owner's wallet or key.");
  }
  const [kycStatus, enrollment] = await Promise.all([
    kycStatusOf(account.rootId, chainId),
    include && getEnrollment(ctx),
  ]);
  return { account, kycStatus, key: ctx.actor === "key" ? ctx : undefined, enrollment };
}
