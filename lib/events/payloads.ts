import { z } from "zod";
import { handleField, hexField, idField, timeField } from "@/lib/response-fields";
import type { EventType } from "./catalogue";

/** Payload of the transfer events, beside what every event has. No amount, no memo. */
const transfer = z.object({
  transfer_id: idField("transfer", "Identifies the transfer."),
  direction: z.enum(["sent", "received"]).meta({ description: "Whether `account` sent or received it." }),
  counterparty: z.string().meta({ description: "Handle of the other party, or its address when it has none." }),
  asset: z.string().meta({ description: "Symbol of the asset." }),
  confidential: z.boolean().meta({ description: "Whether the amount is encrypted on chain." }),
  tx_hash: hexField(32, "Hash of the transaction on chain."),
});

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

/** Payload of `account.spender.expiring`. */
const spenderExpiring = z.object({
  expires_at: timeField("When the payment signing key expires: API keys cannot pay afterwards until you renew it."),
  days_left: z.int().min(1).max(30).meta({ description: "Days until then, rounded up." }),
});

/** Payload of `account.spender.expired`. */
const spenderExpired = z.object({ expired_at: timeField("When the payment signing key expired.") });

/** An event of a type as it is stored, listed and delivered. */
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

/** `agent.policy.updated` is `AgentPolicyUpdatedEvent`. */
function nameOf(type: EventType): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join("")}Event`;
}

/** Every event by its type. */
export const EVENTS = {
  "transfer.initiated": eventOf("transfer.initiated", transfer, "A payment was submitted and awaits confirmation."),
  "transfer.confirmed": eventOf("transfer.confirmed", transfer, "A payment reached settlement on chain."),
  "transfer.failed": eventOf("transfer.failed", transfer, "A payment failed to settle."),
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
  "agent.policy.updated": eventOf("agent.policy.updated", policyUpdated, "An agent's spend policy was changed."),
  "account.spender.expiring": eventOf(
    "account.spender.expiring",
    spenderExpiring,
    "The account's payment signing key expires soon: renew it.",
  ),
  "account.spender.expired": eventOf(
    "account.spender.expired",
    spenderExpired,
    "The account's payment signing key has expired: API keys can pay again once you renew it.",
  ),
} satisfies Record<EventType, z.ZodObject>;

/** What an event of a type says beside what every event has. */
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
