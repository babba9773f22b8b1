import { z } from "zod";
import { handleField, hexField, idField, timeField } from "@/lib/base/response-fields";
import type { EventType } from "./catalogue";

/** Payload of the transfer events, besides what every event has. Contains no amount and no memo. */
const transfer = z.object({
  transfer_id: idField("transfer", "Identifies the transfer."),
  direction: z.enum(["sent", "received"]).meta({ description: "Whether `account` sent or received it." }),
  counterparty: z.string().meta({ description: "Handle of the other party, or its address when it has none." }),
  asset: z.string().meta({ description: "Symbol of the asset." }),
  confidential: z.boolean().meta({ description: "Whether the amount is encrypted on chain." }),
  tx_hash: hexField(32, "Hash of the transaction on chain."),
  reference: z.string().optional().meta({ description: "The payer's reference. Absent without one." }),
  refund_of: idField("transfer", "The transfer that this gives back. Absent if it is no refund.").optional(),
  payment_request: idField("paymentRequest", "The payment request that it names. Absent without one.").optional(),
});

/** Payload of `transfer.returned`. */
const returned = transfer.pick({ transfer_id: true, counterparty: true, asset: true });

/** Payload of `agent.transaction.*`. */
const agentTransaction = z.object({
  transaction_id: idField("transaction", "Identifies the payment that needs approval."),
  agent: handleField("Handle of the agent."),
  to: z.string().meta({ description: "The recipient, as the agent wrote it." }),
  requested_at: timeField("When the agent requested the payment."),
  expires_at: timeField("When the approval window ends."),
  decided_at: timeField("When the owner decided. Absent until then.").optional(),
});

/** Payload of `agent.policy.updated`. */
const policyUpdated = z.object({
  agent: handleField("Handle of the agent."),
  policy_id: idField("policy", "Identifies the policy."),
  changed: z.array(z.string()).meta({ description: "Names of the fields that changed." }),
  updated_at: timeField("When it was changed."),
});

/** Payload of `agent.created`, `agent.paused`, `agent.resumed` and `agent.ended`. */
const agent = z.object({
  agent: handleField("Handle of the agent."),
  agent_id: idField("account", "Identifies the agent."),
});

/** Payload of `deposit.confirmed` and `balance.made_available`. */
const movement = z.object({
  asset: z.string().meta({ description: "Symbol of the asset." }),
  tx_hash: hexField(32, "Hash of the transaction on chain."),
});

/** Payload of `payout.finished`. */
const payout = z.object({
  payout_id: idField("payout", "Identifies the payout."),
  rows: z.int().meta({ description: "Number of rows." }),
  rows_paid: z.int().meta({ description: "Number of rows that are paid." }),
  rows_failed: z.int().meta({ description: "Number of rows that failed. Their money did not move." }),
});

/** Payload of `payout.paused`. */
const pausedPayout = payout.extend({
  pause_reason: z.string().nullable().meta({
    description:
      "The code of the error that paused it, such as `insufficient_balance`; null if no request worked on it.",
  }),
});

/** Payload of `payment_request.*`. */
const paymentRequest = z.object({
  payment_request_id: idField("paymentRequest", "Identifies the payment request."),
  reference: z.string().nullable().meta({ description: "Your reference; null without one." }),
});
const requestPayment = idField("transfer", "Identifies the transfer that paid.");

/** Payload of `schedule.*`. */
const scheduleRun = z.object({
  schedule_id: idField("schedule", "Identifies the schedule."),
  run_id: idField("scheduleRun", "Identifies the run."),
  due_at: timeField("When the run is due."),
});

/** Payload of `key.*`. */
const key = z.object({ key_id: idField("key", "Identifies the API key.") });

/** Payload of `webhook.disabled`. */
const webhookDisabled = z.object({
  webhook_id: idField("webhook", "Identifies the webhook."),
  reason: z.enum(["owner", "failing", "gone"]).meta({
    description:
      "`owner`: you disabled it. `failing`: no delivery succeeded for 5 days. `gone`: it returned nothing but 410 for 24 hours.",
  }),
});

/** Payload of `account.payment_key.expiring`. */
const paymentKeyExpiring = z.object({
  expires_at: timeField("When the payment key expires: API keys cannot pay afterwards until you renew it."),
  days_left: z.int().min(1).max(30).meta({ description: "Days until then, rounded up." }),
});

/** Payload of `account.payment_key.expired`. */
const paymentKeyExpired = z.object({ expired_at: timeField("When the payment key expired.") });

/** Returns the schema of an event of a type, as it is stored, listed and delivered. */
function eventOf<T extends EventType, S extends z.ZodRawShape>(type: T, payload: z.ZodObject<S>, description: string) {
  return z
    .object({
      event: z.literal(type).meta({ description: "The event's type." }),
      event_id: idField("event", "Identifies the event. Process each id once."),
      account: handleField("Handle of the account concerned: yours, or that of one of your agents."),
      test: z.literal(true).optional().meta({ description: "Present on test events only: the content is a sample." }),
      ...payload.shape,
      timestamp: timeField("When it happened."),
    })
    .meta({ id: nameOf(type), title: type, description });
}

/** Returns the schema's name: `agent.policy.updated` becomes `AgentPolicyUpdatedEvent`. */
function nameOf(type: EventType): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join("")}Event`;
}

/** The schemas of all events by type. */
export const EVENTS = {
  "transfer.initiated": eventOf("transfer.initiated", transfer, "A payment was submitted and awaits confirmation."),
  "transfer.confirmed": eventOf("transfer.confirmed", transfer, "A payment reached settlement on chain."),
  "transfer.failed": eventOf("transfer.failed", transfer, "A payment failed to settle."),
  "transfer.returned": eventOf(
    "transfer.returned",
    returned,
    "A seller of the scheme `exact` did not take a payment in time: its money is back in the owner's wallet.",
  ),
  "agent.transaction.pending_approval": eventOf(
    "agent.transaction.pending_approval",
    agentTransaction,
    "An agent's payment exceeded its approval threshold.",
  ),
  "agent.transaction.approved": eventOf(
    "agent.transaction.approved",
    agentTransaction,
    "The owner approved an agent's payment.",
  ),
  "agent.transaction.rejected": eventOf(
    "agent.transaction.rejected",
    agentTransaction,
    "The owner rejected an agent's payment.",
  ),
  "agent.transaction.expired": eventOf(
    "agent.transaction.expired",
    agentTransaction.omit({ decided_at: true }),
    "The approval window of an agent's payment ended without a decision. No money moved.",
  ),
  "agent.policy.updated": eventOf("agent.policy.updated", policyUpdated, "An agent's spend policy was changed."),
  "agent.created": eventOf("agent.created", agent, "An agent was created."),
  "agent.paused": eventOf("agent.paused", agent, "An agent was paused: its payments are refused."),
  "agent.resumed": eventOf("agent.resumed", agent, "An agent was resumed: it pays again within its policy."),
  "agent.ended": eventOf("agent.ended", agent, "An agent was ended: nothing pays from its balance any more."),
  "deposit.confirmed": eventOf("deposit.confirmed", movement, "A deposit is final on chain."),
  "balance.made_available": eventOf(
    "balance.made_available",
    movement,
    "Received or deposited money was made available, final on chain.",
  ),
  "payout.paused": eventOf("payout.paused", pausedPayout, "A payout waits for a request with its key to go on."),
  "payout.finished": eventOf("payout.finished", payout, "Every row of a payout is paid or has failed."),
  "payment_request.payment_received": eventOf(
    "payment_request.payment_received",
    paymentRequest.extend({
      transfer_id: requestPayment,
      amount_checked: z.literal(false).meta({
        description: "Always false: the service can't read the amount. Ship on `payment_request.paid`.",
      }),
    }),
    "A payment that names your payment request is final on chain. Its amount is not checked.",
  ),
  "payment_request.paid": eventOf(
    "payment_request.paid",
    paymentRequest.extend({ transfer_id: requestPayment }),
    "Your client decrypted the payment and reported that it covers the request.",
  ),
  "payment_request.expired": eventOf(
    "payment_request.expired",
    paymentRequest,
    "A payment request expired before it was paid.",
  ),
  "payment_request.cancelled": eventOf("payment_request.cancelled", paymentRequest, "A payment request was cancelled."),
  "schedule.due": eventOf(
    "schedule.due",
    scheduleRun.extend({ window_ends_at: timeField("Until when the run can be paid without your consent.") }),
    "A run of a schedule is due: a client that holds a key pays it.",
  ),
  "schedule.run_paid": eventOf("schedule.run_paid", scheduleRun, "A run of a schedule was paid."),
  "schedule.run_missed": eventOf(
    "schedule.run_missed",
    scheduleRun,
    "No client paid a run of a schedule within its window. It is not paid late without your consent.",
  ),
  "key.created": eventOf("key.created", key, "An API key was created."),
  "key.revoked": eventOf("key.revoked", key, "An API key was revoked."),
  "key.exposed": eventOf(
    "key.exposed",
    key,
    "The home key of a blind API key was sent to the service: revoke that key.",
  ),
  "webhook.disabled": eventOf(
    "webhook.disabled",
    webhookDisabled,
    "A webhook was disabled: events are no longer sent to it.",
  ),
  "account.payment_key.expiring": eventOf(
    "account.payment_key.expiring",
    paymentKeyExpiring,
    "The account's payment key expires soon: renew it.",
  ),
  "account.payment_key.expired": eventOf(
    "account.payment_key.expired",
    paymentKeyExpired,
    "The account's payment key has expired: API keys can pay again once you renew it.",
  ),
} satisfies Record<EventType, z.ZodObject>;

/** What an event of a type contains besides what every event has. */
export type PayloadOf<T extends EventType> = Omit<
  z.infer<(typeof EVENTS)[T]>,
  "event" | "event_id" | "account" | "test" | "timestamp"
>;

const [first, ...others] = Object.values(EVENTS);
if (!first) throw new Error("there are no events");

/** Any event. */
export const EventResource = z.discriminatedUnion("event", [first, ...others]).meta({
  id: "Event",
  description: "Something that happened to the account or one of its agents. No event contains an amount.",
});
export type EventResource = z.infer<typeof EventResource>;
