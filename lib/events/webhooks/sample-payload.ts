import { isoTime } from "@/lib/base/clock";
import type { EventType } from "@/lib/events/catalogue";

const SAMPLE = "00000000000000000000000000";
const REQUEST = { payment_request_id: `payreq_${SAMPLE}`, reference: "invoice-1042" };
const RUN = { schedule_id: `sch_${SAMPLE}`, run_id: `run_${SAMPLE}` };

/** Returns the payload of a test event: made-up content in the shape of a real event, and `test: true`. */
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
    case "transfer.returned":
      return { transfer_id: `tr_${SAMPLE}`, counterparty: "@sample", asset: "USDG" };
    case "agent.transaction.pending_approval":
    case "agent.transaction.approved":
    case "agent.transaction.rejected":
    case "agent.transaction.expired":
      return {
        transaction_id: `txn_${SAMPLE}`,
        agent,
        to: "@sample",
        requested_at: isoTime(now),
        expires_at: isoTime(new Date(now.getTime() + 86_400_000)),
        ...(type === "agent.transaction.approved" || type === "agent.transaction.rejected"
          ? { decided_at: isoTime(now) }
          : {}),
      };
    case "agent.policy.updated":
      return { agent, policy_id: `pol_${SAMPLE}`, changed: ["active_hours"], updated_at: isoTime(now) };
    case "agent.created":
    case "agent.paused":
    case "agent.resumed":
    case "agent.ended":
      return { agent, agent_id: `acct_${SAMPLE}` };
    case "deposit.confirmed":
    case "balance.made_available":
      return { asset: "USDG", tx_hash: `0x${"0".repeat(64)}` };
    case "payout.paused":
      return { payout_id: `po_${SAMPLE}`, rows: 20, rows_paid: 16, rows_failed: 0, pause_reason: null };
    case "payout.finished":
      return { payout_id: `po_${SAMPLE}`, rows: 20, rows_paid: 19, rows_failed: 1 };
    case "payment_request.payment_received":
      return { ...REQUEST, transfer_id: `tr_${SAMPLE}`, amount_checked: false };
    case "payment_request.paid":
      return { ...REQUEST, transfer_id: `tr_${SAMPLE}` };
    case "payment_request.expired":
    case "payment_request.cancelled":
      return REQUEST;
    case "schedule.due":
      return { ...RUN, due_at: isoTime(now), window_ends_at: isoTime(new Date(now.getTime() + 86_400_000)) };
    case "schedule.run_paid":
    case "schedule.run_missed":
      return { ...RUN, due_at: isoTime(now) };
    case "key.created":
    case "key.revoked":
    case "key.exposed":
      return { key_id: `key_${SAMPLE}` };
    case "webhook.disabled":
      return { webhook_id: `wh_${SAMPLE}`, reason: "failing" };
    case "account.payment_key.expiring":
      return { expires_at: isoTime(new Date(now.getTime() + 30 * 86_400_000)), days_left: 30 };
    case "account.payment_key.expired":
      return { expired_at: isoTime(now) };
  }
}
