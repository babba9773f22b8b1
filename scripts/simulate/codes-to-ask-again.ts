/** Codes of errors that say nothing of what was asked: it is asked again, under the same key. */
export const AGAIN: ReadonlySet<string> = new Set([
  "unavailable",
  "internal",
  "outcome_unknown",
  "idempotency_in_progress",
  "rate_limited",
  "available_balance_changed",
  "sync_required",
  "policy_not_in_force",
]);
