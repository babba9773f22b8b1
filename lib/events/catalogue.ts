/** The event types of the contract (docs/developer-rest-api.md, Events). */
export const EVENT_TYPES = [
  "transfer.initiated",
  "transfer.confirmed",
  "transfer.failed",
  "agent.transaction.pending_approval",
  "agent.transaction.approved",
  "agent.transaction.rejected",
  "agent.policy.updated",
] as const;

export type EventType = (typeof EVENT_TYPES)[number];
