import type { EventResource } from "@/lib/events/payloads";

/** Returns the page of what an event is about, and the words of a link to it. */
export function objectOf(event: EventResource, network: string): { name: string; href: string } {
  const base = `/${network}`;
  switch (event.event) {
    case "transfer.initiated":
    case "transfer.confirmed":
    case "transfer.failed":
    case "transfer.returned":
      return { name: "View transfer", href: `${base}/transfers/${event.transfer_id}` };
    case "agent.transaction.pending_approval":
    case "agent.transaction.approved":
    case "agent.transaction.rejected":
    case "agent.transaction.expired":
      return { name: "View payment", href: `${base}/approvals?open=${event.transaction_id}` };
    case "agent.policy.updated":
      return { name: "View agents", href: `${base}/agents` };
    case "agent.created":
    case "agent.paused":
    case "agent.resumed":
    case "agent.ended":
      return { name: "View agent", href: `${base}/agents/${event.agent_id}` };
    case "deposit.confirmed":
    case "balance.made_available":
      return { name: "View balances", href: `${base}/balances` };
    case "payout.paused":
    case "payout.finished":
      return { name: "View payout", href: `${base}/payouts/${event.payout_id}` };
    case "payment_request.payment_received":
    case "payment_request.paid":
    case "payment_request.expired":
    case "payment_request.cancelled":
      return { name: "View request", href: `${base}/requests/${event.payment_request_id}` };
    case "schedule.due":
    case "schedule.run_paid":
    case "schedule.run_missed":
      return { name: "View schedule", href: `${base}/schedules/${event.schedule_id}` };
    case "key.created":
    case "key.revoked":
    case "key.exposed":
      return { name: "View API keys", href: `${base}/developers/keys` };
    case "webhook.disabled":
      return { name: "View webhook", href: `${base}/developers/webhooks/${event.webhook_id}` };
    case "account.payment_key.expiring":
    case "account.payment_key.expired":
      return { name: "View settings", href: `${base}/settings` };
  }
}
