/*
 * Requests and responses of the API as types. Generated from docs/openapi.json, which comes from the schemas that the
 * routes parse and serialise with. Do not edit: npm run openapi
 */

/** The account's payment key has expired: API keys can pay again once you renew it. */
export interface AccountPaymentKeyExpiredEvent {
  /** The event's type. */
  event: "account.payment_key.expired";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** When the payment key expired. */
  expired_at: string;
  /** When it happened. */
  timestamp: string;
}

/** The account's payment key expires soon: renew it. */
export interface AccountPaymentKeyExpiringEvent {
  /** The event's type. */
  event: "account.payment_key.expiring";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** When the payment key expires: API keys cannot pay afterwards until you renew it. */
  expires_at: string;
  /** Days until then, rounded up. */
  days_left: number;
  /** When it happened. */
  timestamp: string;
}

/** An agent was created. */
export interface AgentCreatedEvent {
  /** The event's type. */
  event: "agent.created";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** Handle of the agent. */
  agent: string;
  /** Identifies the agent. */
  agent_id: string;
  /** When it happened. */
  timestamp: string;
}

/** An agent was ended: nothing pays from its balance any more. */
export interface AgentEndedEvent {
  /** The event's type. */
  event: "agent.ended";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** Handle of the agent. */
  agent: string;
  /** Identifies the agent. */
  agent_id: string;
  /** When it happened. */
  timestamp: string;
}

/** An agent was paused: its payments are refused. */
export interface AgentPausedEvent {
  /** The event's type. */
  event: "agent.paused";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** Handle of the agent. */
  agent: string;
  /** Identifies the agent. */
  agent_id: string;
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

/** An agent was resumed: it pays again within its policy. */
export interface AgentResumedEvent {
  /** The event's type. */
  event: "agent.resumed";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** Handle of the agent. */
  agent: string;
  /** Identifies the agent. */
  agent_id: string;
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

/** The approval window of an agent's payment ended without a decision. No money moved. */
export interface AgentTransactionExpiredEvent {
  /** The event's type. */
  event: "agent.transaction.expired";
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

/** Received or deposited money was made available, final on chain. */
export interface BalanceMadeAvailableEvent {
  /** The event's type. */
  event: "balance.made_available";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** Symbol of the asset. */
  asset: string;
  /** Hash of the transaction on chain. */
  tx_hash: `0x${string}`;
  /** When it happened. */
  timestamp: string;
}

/** A deposit is final on chain. */
export interface DepositConfirmedEvent {
  /** The event's type. */
  event: "deposit.confirmed";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** Symbol of the asset. */
  asset: string;
  /** Hash of the transaction on chain. */
  tx_hash: `0x${string}`;
  /** When it happened. */
  timestamp: string;
}

/** Something that happened to the account or one of its agents. No event contains an amount. */
export type Event = TransferInitiatedEvent | TransferConfirmedEvent | TransferFailedEvent | TransferReturnedEvent | AgentTransactionPendingApprovalEvent | AgentTransactionApprovedEvent | AgentTransactionRejectedEvent | AgentTransactionExpiredEvent | AgentPolicyUpdatedEvent | AgentCreatedEvent | AgentPausedEvent | AgentResumedEvent | AgentEndedEvent | DepositConfirmedEvent | BalanceMadeAvailableEvent | PayoutPausedEvent | PayoutFinishedEvent | PaymentRequestPaymentReceivedEvent | PaymentRequestPaidEvent | PaymentRequestExpiredEvent | PaymentRequestCancelledEvent | ScheduleDueEvent | ScheduleRunPaidEvent | ScheduleRunMissedEvent | KeyCreatedEvent | KeyRevokedEvent | KeyExposedEvent | WebhookDisabledEvent | AccountPaymentKeyExpiringEvent | AccountPaymentKeyExpiredEvent;

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

/** An API key was created. */
export interface KeyCreatedEvent {
  /** The event's type. */
  event: "key.created";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** Identifies the API key. */
  key_id: string;
  /** When it happened. */
  timestamp: string;
}

/** The home key of a blind API key was sent to the service: revoke that key. */
export interface KeyExposedEvent {
  /** The event's type. */
  event: "key.exposed";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** Identifies the API key. */
  key_id: string;
  /** When it happened. */
  timestamp: string;
}

/** An API key was revoked. */
export interface KeyRevokedEvent {
  /** The event's type. */
  event: "key.revoked";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** Identifies the API key. */
  key_id: string;
  /** When it happened. */
  timestamp: string;
}

/** A payment request was cancelled. */
export interface PaymentRequestCancelledEvent {
  /** The event's type. */
  event: "payment_request.cancelled";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** Identifies the payment request. */
  payment_request_id: string;
  /** Your reference; null without one. */
  reference: string | null;
  /** When it happened. */
  timestamp: string;
}

/** A payment request expired before it was paid. */
export interface PaymentRequestExpiredEvent {
  /** The event's type. */
  event: "payment_request.expired";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** Identifies the payment request. */
  payment_request_id: string;
  /** Your reference; null without one. */
  reference: string | null;
  /** When it happened. */
  timestamp: string;
}

/** Your client decrypted the payment and reported that it covers the request. */
export interface PaymentRequestPaidEvent {
  /** The event's type. */
  event: "payment_request.paid";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** Identifies the payment request. */
  payment_request_id: string;
  /** Your reference; null without one. */
  reference: string | null;
  /** Identifies the transfer that paid. */
  transfer_id: string;
  /** When it happened. */
  timestamp: string;
}

/** A payment that names your payment request is final on chain. Its amount is not checked. */
export interface PaymentRequestPaymentReceivedEvent {
  /** The event's type. */
  event: "payment_request.payment_received";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** Identifies the payment request. */
  payment_request_id: string;
  /** Your reference; null without one. */
  reference: string | null;
  /** Identifies the transfer that paid. */
  transfer_id: string;
  /** Always false: the service can't read the amount. Ship on `payment_request.paid`. */
  amount_checked: false;
  /** When it happened. */
  timestamp: string;
}

/** Every row of a payout is paid or has failed. */
export interface PayoutFinishedEvent {
  /** The event's type. */
  event: "payout.finished";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** Identifies the payout. */
  payout_id: string;
  /** Number of rows. */
  rows: number;
  /** Number of rows that are paid. */
  rows_paid: number;
  /** Number of rows that failed. Their money did not move. */
  rows_failed: number;
  /** When it happened. */
  timestamp: string;
}

/** A payout waits for a request with its key to go on. */
export interface PayoutPausedEvent {
  /** The event's type. */
  event: "payout.paused";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** Identifies the payout. */
  payout_id: string;
  /** Number of rows. */
  rows: number;
  /** Number of rows that are paid. */
  rows_paid: number;
  /** Number of rows that failed. Their money did not move. */
  rows_failed: number;
  /** The code of the error that paused it, such as `insufficient_balance`; null if no request worked on it. */
  pause_reason: string | null;
  /** When it happened. */
  timestamp: string;
}

/** A run of a schedule is due: a client that holds a key pays it. */
export interface ScheduleDueEvent {
  /** The event's type. */
  event: "schedule.due";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** Identifies the schedule. */
  schedule_id: string;
  /** Identifies the run. */
  run_id: string;
  /** When the run is due. */
  due_at: string;
  /** Until when the run can be paid without your consent. */
  window_ends_at: string;
  /** When it happened. */
  timestamp: string;
}

/** No client paid a run of a schedule within its window. It is not paid late without your consent. */
export interface ScheduleRunMissedEvent {
  /** The event's type. */
  event: "schedule.run_missed";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** Identifies the schedule. */
  schedule_id: string;
  /** Identifies the run. */
  run_id: string;
  /** When the run is due. */
  due_at: string;
  /** When it happened. */
  timestamp: string;
}

/** A run of a schedule was paid. */
export interface ScheduleRunPaidEvent {
  /** The event's type. */
  event: "schedule.run_paid";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** Identifies the schedule. */
  schedule_id: string;
  /** Identifies the run. */
  run_id: string;
  /** When the run is due. */
  due_at: string;
  /** When it happened. */
  timestamp: string;
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
  /** The payer's reference. Absent without one. */
  reference?: string;
  /** The transfer that this gives back. Absent if it is no refund. */
  refund_of?: string;
  /** The payment request that it names. Absent without one. */
  payment_request?: string;
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
  /** The payer's reference. Absent without one. */
  reference?: string;
  /** The transfer that this gives back. Absent if it is no refund. */
  refund_of?: string;
  /** The payment request that it names. Absent without one. */
  payment_request?: string;
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
  /** The payer's reference. Absent without one. */
  reference?: string;
  /** The transfer that this gives back. Absent if it is no refund. */
  refund_of?: string;
  /** The payment request that it names. Absent without one. */
  payment_request?: string;
  /** When it happened. */
  timestamp: string;
}

/** A seller of the scheme `exact` did not take a payment in time: its money is back in the owner's wallet. */
export interface TransferReturnedEvent {
  /** The event's type. */
  event: "transfer.returned";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** Identifies the transfer. */
  transfer_id: string;
  /** Handle of the other party, or its address when it has none. */
  counterparty: string;
  /** Symbol of the asset. */
  asset: string;
  /** When it happened. */
  timestamp: string;
}

/** A webhook was disabled: events are no longer sent to it. */
export interface WebhookDisabledEvent {
  /** The event's type. */
  event: "webhook.disabled";
  /** Identifies the event. Process each id once. */
  event_id: string;
  /** Handle of the account concerned: yours, or that of one of your agents. */
  account: string;
  /** Present on test events only: the content is a sample. */
  test?: true;
  /** Identifies the webhook. */
  webhook_id: string;
  /**
   * `owner`: you disabled it. `failing`: no delivery succeeded for 5 days. `gone`: it returned nothing but 410 for 24
   * hours.
   */
  reason: "owner" | "failing" | "gone";
  /** When it happened. */
  timestamp: string;
}
