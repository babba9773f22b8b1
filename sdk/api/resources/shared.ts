/*
 * Requests and responses of the API as types. Generated from docs/openapi.json, which comes from the schemas that the
 * routes parse and serialise with. Do not edit: npm run openapi
 */

/** The body of every error response. */
export interface Error {
  /** What went wrong and what to do next. */
  error: {
    /** The error code, for programs. It never changes its meaning. */
    code: "invalid_request" | "invalid_policy" | "unauthorized" | "insufficient_balance" | "kyc_required" | "not_agent_owner" | "policy_violation" | "key_forbidden" | "recipient_blocked" | "not_found" | "recipient_not_found" | "transaction_not_found" | "method_not_allowed" | "transaction_expired" | "handle_taken" | "reference_in_use" | "refund_conflict" | "payment_request_closed" | "idempotency_in_progress" | "available_balance_changed" | "sync_required" | "policy_not_in_force" | "schedule_changed" | "run_not_payable" | "recipient_not_confidential_ready" | "decryption_proof_invalid" | "refund_not_possible" | "idempotency_mismatch" | "rate_limited" | "internal" | "unavailable";
    /** What to do next, for people. Never an amount or a value that was sent. */
    message: string;
    /** The field at fault, as a dotted path. */
    param?: string;
    /** Every field at fault. Present when there are several. */
    errors?: {
      /** The field at fault, as a dotted path. */
      param: string;
      /** What to do about it. */
      message: string;
    }[];
    /** The rule that refuses the payment. Present with `policy_violation` only. */
    reason?: "agent_paused" | "asset_not_allowed" | "recipient_not_allowed" | "public_payments_not_allowed" | "outside_active_hours" | "per_transaction_limit" | "daily_limit" | "monthly_limit" | "payments_per_hour" | "payments_per_day" | "recipient_transaction_limit" | "recipient_monthly_limit" | "too_many_held";
    /** Identifies the request, as does `X-Request-Id`. Quote it when you ask for help. */
    request_id: string;
    /** The URL of the page that explains the code, on this service. */
    doc_url: string;
  };
}
