import { shortName } from "@/components/ui/agent-name";
import { EVENT_TYPES, type EventType } from "@/lib/events/catalogue";
import type { EventResource } from "@/lib/events/payloads";

/** What each event reports, in a phrase. */
export const EVENT_SAYS: Record<EventType, string> = {
  "transfer.initiated": "A payment was submitted and awaits confirmation.",
  "transfer.confirmed": "A payment is final on chain, sent or received.",
  "transfer.failed": "A payment did not settle; no money moved.",
  "transfer.returned": "A seller did not take a payment; its money is back in your wallet.",
  "agent.transaction.pending_approval": "An agent's payment awaits your approval.",
  "agent.transaction.approved": "You approved an agent's payment; it was sent to the chain.",
  "agent.transaction.rejected": "You rejected an agent's payment; no money moved.",
  "agent.transaction.expired": "An agent's payment waited too long for a decision; no money moved.",
  "agent.policy.updated": "An agent's spend policy was changed.",
  "agent.created": "An agent was created.",
  "agent.paused": "An agent was paused; its payments are refused.",
  "agent.resumed": "An agent was resumed and pays again.",
  "agent.ended": "An agent was ended; nothing pays from its balance.",
  "deposit.confirmed": "A deposit is final on chain.",
  "balance.made_available": "Money was made available to pay from.",
  "payout.paused": "A payout waits until you continue it.",
  "payout.finished": "Every row of a payout is paid or has failed.",
  "payment_request.payment_received": "A payment for your request arrived. Its amount is not checked yet.",
  "payment_request.paid": "Your payment request is paid in full.",
  "payment_request.expired": "A payment request expired before it was paid.",
  "payment_request.cancelled": "A payment request was cancelled.",
  "schedule.due": "A scheduled payment is due.",
  "schedule.run_paid": "A scheduled payment was paid.",
  "schedule.run_missed": "A scheduled payment was missed; no money moved.",
  "key.created": "An API key was created.",
  "key.revoked": "An API key was revoked.",
  "key.exposed": "The home key of an API key was sent to the service; revoke that key.",
  "webhook.disabled": "A webhook was disabled; it gets no more events.",
  "account.payment_key.expiring": "Your payment key expires soon. Renew it in the settings.",
  "account.payment_key.expired": "Your payment key has expired. API keys pay again once you renew it.",
};

/** Returns what happened, for a line of a list, without a full stop. */
export function sentenceOf(type: EventType): string {
  return EVENT_SAYS[type].replace(/[;.].*$/, "");
}

/** The event catalogue, grouped for people who look for an event. */
export const EVENT_GROUPS = [
  groupOf("Payments", "transfer."),
  groupOf("Approvals", "agent.transaction."),
  groupOf("Agents", "agent.policy.", "agent.created", "agent.paused", "agent.resumed", "agent.ended"),
  groupOf("Balances", "deposit.", "balance."),
  groupOf("Payouts", "payout."),
  groupOf("Payment requests", "payment_request."),
  groupOf("Schedules", "schedule."),
  groupOf("API keys and webhooks", "key.", "webhook."),
  groupOf("Payment key", "account.payment_key."),
];

function groupOf(name: string, ...beginnings: string[]) {
  return { name, types: EVENT_TYPES.filter((type) => beginnings.some((beginning) => type.startsWith(beginning))) };
}

/** Returns which events a webhook receives, in a few words. */
export function subscriptionOf(types: readonly EventType[]): string {
  if (types.length === EVENT_TYPES.length) return "All events";
  const [first = "", ...others] = types;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

/** Returns what an event is about. */
export function eventSubject(event: EventResource): string {
  switch (event.event) {
    case "transfer.initiated":
    case "transfer.confirmed":
    case "transfer.failed":
      return event.direction === "sent" ? `to ${event.counterparty}` : `from ${event.counterparty}`;
    case "transfer.returned":
      return `from ${event.counterparty}`;
    case "agent.transaction.pending_approval":
    case "agent.transaction.approved":
    case "agent.transaction.rejected":
    case "agent.transaction.expired":
      return `${shortName(event.agent)} to ${event.to}`;
    case "agent.policy.updated":
      return event.changed.join(", ");
    case "agent.created":
    case "agent.paused":
    case "agent.resumed":
    case "agent.ended":
      return event.agent;
    case "deposit.confirmed":
    case "balance.made_available":
      return event.asset;
    case "payout.paused":
    case "payout.finished":
      return `${event.rows_paid} of ${event.rows} rows paid${event.rows_failed > 0 ? `, ${event.rows_failed} failed` : ""}`;
    case "payment_request.payment_received":
    case "payment_request.paid":
    case "payment_request.expired":
    case "payment_request.cancelled":
      return event.reference ?? event.payment_request_id;
    case "schedule.due":
    case "schedule.run_paid":
    case "schedule.run_missed":
      return event.schedule_id;
    case "key.created":
    case "key.revoked":
    case "key.exposed":
      return event.key_id;
    case "webhook.disabled":
      return event.webhook_id;
    case "account.payment_key.expiring":
      return event.days_left === 1 ? "1 day left" : `${event.days_left} days left`;
    case "account.payment_key.expired":
      return "expired";
  }
}
