/*
 * Requests and responses of the API as types. Generated from docs/openapi.json, which comes from the schemas that the
 * routes parse and serialise with. Do not edit: npm run openapi
 */

/** The account's payment signing key has expired: API keys can pay again once you renew it. */
export interface AccountSpenderExpiredEvent {
  /** The event's type. */
  event: "account.spender.expired";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** When the payment signing key expired. */
  expired_at: string;
  /** When it happened. */
  timestamp: string;
}

/** The account's payment signing key expires soon: renew it. */
export interface AccountSpenderExpiringEvent {
  /** The event's type. */
  event: "account.spender.expiring";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** When the payment signing key expires: API keys cannot pay afterwards until you renew it. */
  expires_at: string;
  /** Days until then, rounded up. */
  days_left: number;
  /** When it happened. */
  timestamp: string;
}

/** An agent's spend policy was changed. */
export interface AgentPolicyUpdatedEvent {
  /** The event's type. */
  event: "agent.policy.updated";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** Handle of the agent. */
  agent: string;
  /** Identifies the policy. */
  policy_id: string;
  /** Names of the fields that changed. */
  changed: string[];
  /** When it was changed. */
  updated_at: string;
  /** When it happened. */
  timestamp: string;
}

/** The owner approved an agent's payment. */
export interface AgentTransactionApprovedEvent {
  /** The event's type. */
  event: "agent.transaction.approved";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** Identifies the payment that needs approval. */
  transaction_id: string;
  /** Handle of the agent. */
  agent: string;
  /** The recipient, as the agent wrote it. */
  to: string;
  /** When the agent requested the payment. */
  requested_at: string;
  /** When the approval window ends. */
  expires_at: string;
  /** When the owner decided. Absent until then. */
  decided_at?: string;
  /** When it happened. */
  timestamp: string;
}

/** An agent's payment exceeded its approval threshold. */
export interface AgentTransactionPendingApprovalEvent {
  /** The event's type. */
  event: "agent.transaction.pending_approval";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** Identifies the payment that needs approval. */
  transaction_id: string;
  /** Handle of the agent. */
  agent: string;
  /** The recipient, as the agent wrote it. */
  to: string;
  /** When the agent requested the payment. */
  requested_at: string;
  /** When the approval window ends. */
  expires_at: string;
  /** When the owner decided. Absent until then. */
  decided_at?: string;
  /** When it happened. */
  timestamp: string;
}

/** The owner rejected an agent's payment. */
export interface AgentTransactionRejectedEvent {
  /** The event's type. */
  event: "agent.transaction.rejected";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** Identifies the payment that needs approval. */
  transaction_id: string;
  /** Handle of the agent. */
  agent: string;
  /** The recipient, as the agent wrote it. */
  to: string;
  /** When the agent requested the payment. */
  requested_at: string;
  /** When the approval window ends. */
  expires_at: string;
  /** When the owner decided. Absent until then. */
  decided_at?: string;
  /** When it happened. */
  timestamp: string;
}

/** Something that happened to the account or one of its agents. No event contains an amount. */
export type Event = TransferInitiatedEvent | TransferConfirmedEvent | TransferFailedEvent | AgentTransactionPendingApprovalEvent | AgentTransactionApprovedEvent | AgentTransactionRejectedEvent | AgentPolicyUpdatedEvent | AccountSpenderExpiringEvent | AccountSpenderExpiredEvent;

/** Events, newest first; with `after`, oldest first. */
export interface EventList {
  /** The events of this page. */
  events: Event[];
  /** Number of entries requested. */
  limit: number;
  /** Number of entries skipped. */
  offset: number;
  /** Whether more entries follow this page. */
  has_more: boolean;
}

/** A payment reached settlement on chain. */
export interface TransferConfirmedEvent {
  /** The event's type. */
  event: "transfer.confirmed";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** Identifies the transfer. */
  transfer_id: string;
  /** Whether `account` sent or received it. */
  direction: "sent" | "received";
  /** Handle of the other party, or its address when it has none. */
  counterparty: string;
  /** Symbol of the asset. */
  asset: string;
  /** Whether the amount is encrypted on chain. */
  confidential: boolean;
  /** Hash of the transaction on chain. */
  tx_hash: `0x${string}`;
  /** When it happened. */
  timestamp: string;
}

/** A payment failed to settle. */
export interface TransferFailedEvent {
  /** The event's type. */
  event: "transfer.failed";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** Identifies the transfer. */
  transfer_id: string;
  /** Whether `account` sent or received it. */
  direction: "sent" | "received";
  /** Handle of the other party, or its address when it has none. */
  counterparty: string;
  /** Symbol of the asset. */
  asset: string;
  /** Whether the amount is encrypted on chain. */
  confidential: boolean;
  /** Hash of the transaction on chain. */
  tx_hash: `0x${string}`;
  /** When it happened. */
  timestamp: string;
}

/** A payment was submitted and awaits confirmation. */
export interface TransferInitiatedEvent {
  /** The event's type. */
  event: "transfer.initiated";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** Identifies the transfer. */
  transfer_id: string;
  /** Whether `account` sent or received it. */
  direction: "sent" | "received";
  /** Handle of the other party, or its address when it has none. */
  counterparty: string;
  /** Symbol of the asset. */
  asset: string;
  /** Whether the amount is encrypted on chain. */
  confidential: boolean;
  /** Hash of the transaction on chain. */
  tx_hash: `0x${string}`;
  /** When it happened. */
  timestamp: string;
}
