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

/** Payload of the transfer events, beside what every event has. No amount, no memo. */
export interface TransferEventPayload {
  transfer_id: string;
  direction: "sent" | "received";
  /** Handle with @ of the other party, or its address when it has none. */
  counterparty: string;
  asset: string;
  confidential: boolean;
  tx_hash: string;
}

/** Payload of `agent.transaction.*`: times are ISO 8601, `decided_at` once it is decided. */
export interface AgentTransactionEventPayload {
  transaction_id: string;
  /** Handle with @. */
  agent: string;
  /** As the agent wrote it. */
  to: string;
  requested_at: string;
  expires_at: string;
  decided_at?: string;
}

/** Payload of `agent.policy.updated`. */
export interface PolicyUpdatedEventPayload {
  agent: string;
  policy_id: string;
  /** Names of the fields that changed. */
  changed: string[];
  updated_at: string;
}

export type EventPayload = TransferEventPayload | AgentTransactionEventPayload | PolicyUpdatedEventPayload;
