import { EVENT_TYPES, type EventType } from "@/lib/events/catalogue";
import type { EventResource } from "@/lib/events/payloads";

/** What each event shows, in a phrase. */
export const EVENT_SAYS: Record<EventType, string> = {
  "transfer.initiated": "A payment was submitted and awaits confirmation.",
  "transfer.confirmed": "A payment is final on chain, sent or received.",
  "transfer.failed": "A payment did not settle; no money moved.",
  "agent.transaction.pending_approval": "An agent's payment awaits your approval.",
  "agent.transaction.approved": "You approved an agent's payment; it was sent to the chain.",
  "agent.transaction.rejected": "You rejected an agent's payment; no money moved.",
  "agent.policy.updated": "An agent's spend policy was changed.",
  "account.spender.expiring": "Your spending key expires soon. Renew it in the settings.",
  "account.spender.expired": "Your spending key has expired. API keys pay again once you renew it.",
};

/** The catalogue as people look for things in it. */
export const EVENT_GROUPS = [
  { name: "Payments", types: EVENT_TYPES.filter((type) => type.startsWith("transfer.")) },
  { name: "Approvals", types: EVENT_TYPES.filter((type) => type.startsWith("agent.transaction.")) },
  { name: "Policies", types: EVENT_TYPES.filter((type) => type.startsWith("agent.policy.")) },
  { name: "Spending key", types: EVENT_TYPES.filter((type) => type.startsWith("account.spender.")) },
];

/** Which events a webhook gets, in few words. */
export function subscriptionOf(types: readonly EventType[]): string {
  if (types.length === EVENT_TYPES.length) return "All events";
  const [first = "", ...others] = types;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

/** What one event is about. */
export function subjectOf(event: EventResource): string {
  switch (event.event) {
    case "transfer.initiated":
    case "transfer.confirmed":
    case "transfer.failed":
      return event.direction === "sent" ? `to ${event.counterparty}` : `from ${event.counterparty}`;
    case "agent.transaction.pending_approval":
    case "agent.transaction.approved":
    case "agent.transaction.rejected":
      return `${event.agent} to ${event.to}`;
    case "agent.policy.updated":
      return event.changed.join(", ");
    case "account.spender.expiring":
      return event.days_left === 1 ? "1 day left" : `${event.days_left} days left`;
    case "account.spender.expired":
      return "expired";
  }
}
