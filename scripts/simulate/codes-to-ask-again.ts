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

/** Reports whether an error says nothing of what was asked. */
export function isToAskAgain({ code, param = "" }: { code: string; param?: string | undefined }): boolean {
  // A web process whose clock is ahead takes a new document for an expired one, and a new id for an old one; the next
  // are built again.
  return AGAIN.has(code) || (code === "invalid_request" && /\b(day|deadline|held\.transaction_id)$/.test(param));
}
