import { ApiError } from "@/lib/base/errors";

const MESSAGES = {
  sent: "You sent this payment. Only its recipient refunds it.",
  agents: "One of your agents received this payment. Refund it from that agent: name it in `from`.",
  refund: "This payment is itself a refund. Send a new payment instead.",
  public:
    "Public payments can't be refunded: they left no encrypted note to tie a refund to. Send a new payment instead.",
  own: "Money between an account and its own agent moves by a payment. Send it back with one.",
  not_final: "This payment is not final yet. Refund it once its status is `confirmed`.",
  failed: "This payment failed, so there is nothing to give back.",
  asset: "A refund is in the asset that was received. Name that asset.",
  unencrypted: "A refund is confidential. Leave out `confidential`, or send `true`.",
  to: "A refund goes to the account that paid. Leave out `to`.",
} as const;

const PARAMS: Partial<Record<keyof typeof MESSAGES, string>> = {
  asset: "asset",
  unencrypted: "confidential",
  to: "to",
  agents: "from",
};

/** Returns the error for a refund that can't be made, with what to do instead. */
export function refundNotPossible(why: keyof typeof MESSAGES): ApiError {
  // The one reason that passes: seconds until it may have.
  const later = why === "not_final" && { retryAfter: 2 };
  return new ApiError("refund_not_possible", MESSAGES[why], { param: PARAMS[why] ?? "refund_of", ...later });
}
