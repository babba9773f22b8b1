import { LedgerError } from "../crypto/errors";
import type { ChainRefusal } from "../policy/chain-allows";

type PolicyRefusal = Exclude<ChainRefusal, "insufficient_funds">;

const REMEDY: Record<PolicyRefusal, string> = {
  no_policy: "The account has no policy for this asset on the ledger. Its owner has to set one.",
  per_transaction_limit: "The payment is over the policy's limit for one payment. Its owner can raise it.",
  daily_limit: "The payment is over what is left of the policy's daily limit. Wait a day, or have it raised.",
  approval_threshold: "The payment is over the policy's threshold. Its owner has to approve it.",
};

/** The ledger would refuse the payment, because the policy does not allow it under its terms. */
export class RefusedByPolicy extends LedgerError {
  override readonly name = "RefusedByPolicy";
  readonly reason: PolicyRefusal;

  constructor(reason: PolicyRefusal) {
    super(REMEDY[reason]);
    this.reason = reason;
  }
}
