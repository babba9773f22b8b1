import { isoTime } from "@/lib/clock";
import type { EventType } from "@/lib/events/catalogue";

const SAMPLE = "00000000000000000000000000";

/** What a test delivers: an event's payload with made-up content, shaped like a real one, and `test: true`. */
export function samplePayload(type: EventType, eventId: string, handle: string, now: Date): Record<string, unknown> {
  const common = { event: type, event_id: eventId, account: `@${handle}`, test: true };
  return { ...common, ...sampleFields(type, `@${handle}`, now), timestamp: isoTime(now) };
}

function sampleFields(type: EventType, account: string, now: Date): Record<string, unknown> {
  const agent = `${account}/sample`;
  switch (type) {
    case "transfer.initiated":
    case "transfer.confirmed":
    case "transfer.failed":
      return {
        transfer_id: `tr_${SAMPLE}`,
        direction: "sent",
        counterparty: "@sample",
        asset: "USDG",
        confidential: true,
        tx_hash: `0x${"0".repeat(64)}`,
      };
    case "agent.transaction.pending_approval":
    case "agent.transaction.approved":
    case "agent.transaction.rejected":
      return {
        transaction_id: `txn_${SAMPLE}`,
        agent,
        to: "@sample",
        requested_at: isoTime(now),
        expires_at: isoTime(new Date(now.getTime() + 86_400_000)),
        ...(type === "agent.transaction.pending_approval" ? {} : { decided_at: isoTime(now) }),
      };
    case "agent.policy.updated":
      return { agent, policy_id: `pol_${SAMPLE}`, changed: ["active_hours"], updated_at: isoTime(now) };
    case "account.spender.expiring":
      return { expires_at: isoTime(new Date(now.getTime() + 30 * 86_400_000)), days_left: 30 };
    case "account.spender.expired":
      return { expired_at: isoTime(now) };
  }
}
