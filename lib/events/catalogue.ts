/** The event types: the contract's (docs/developer-rest-api.md, Events), and those of an account itself. */
export const EVENT_TYPES = [
  "transfer.initiated",
  "transfer.confirmed",
  "transfer.failed",
  "agent.transaction.pending_approval",
  "agent.transaction.approved",
  "agent.transaction.rejected",
  "agent.policy.updated",
  "account.spender.expiring",
  "account.spender.expired",
] as const;

export type EventType = (typeof EVENT_TYPES)[number];
