import { ApiError } from "@/lib/base/errors";

/**
 * Returns the error for approving by key what exceeds the account's own policy. The ledger accepts only the wallet's
 * signature for that.
 */
export function walletOnly(): ApiError {
  return new ApiError(
    "key_forbidden",
    "This payment is above the limits of the account's own keys. Approve it with the account's wallet: in the dashboard, " +
      "with the SDK or the command line.",
  );
}
