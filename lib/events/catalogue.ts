/**
 * The event types: those of the public contract (docs/developer-rest-api.md, Events) and ours, in the order of the
 * guide.
 */
export const EVENT_TYPES = [
  "transfer.initiated",
  "transfer.confirmed",
  "transfer.failed",
  "transfer.returned",
  "agent.transaction.pending_approval",
  "agent.transaction.approved",
  "agent.transaction.rejected",
  "agent.transaction.expired",
  "agent.policy.updated",
  "agent.created",
  "agent.paused",
  "agent.resumed",
  "agent.ended",
  "deposit.confirmed",
  "balance.made_available",
  "payout.paused",
  "payout.finished",
  "payment_request.payment_received",
  "payment_request.paid",
  "payment_request.expired",
  "payment_request.cancelled",
  "schedule.due",
  "schedule.run_paid",
  "schedule.run_missed",
  "key.created",
  "key.revoked",
  "key.exposed",
  "webhook.disabled",
  "account.payment_key.expiring",
  "account.payment_key.expired",
] as const;

export type EventType = (typeof EVENT_TYPES)[number];
