import type { RelayContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { kycStatusOf } from "./kyc-status-of";

/**
 * Checks that the account's owner is verified. Guards balances on both networks and payments on the live one
 * (docs/contract-notes.md, Identity).
 *
 * @throws ApiError `kyc_required` unless the status of the account, or of an agent's owner, is `verified` or `enhanced`
 */
export async function requireKyc(ctx: RelayContext): Promise<void> {
  const status = await kycStatusOf(ctx.account.rootId, ctx.chainId);
  if (status === "verified" || status === "enhanced") return;
  const message =
    status === "pending"
      ? "Identity verification is still under way. Try again when it is finished."
      : "Finish identity verification first: `halcyon kyc verify`, or in the dashboard.";
  throw new ApiError("kyc_required", message);
}
