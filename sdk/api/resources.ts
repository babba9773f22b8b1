/*
 * The API's bodies and answers as types. Generated from public/openapi.json, which is made of the schemas that the routes
 * parse and serialise with. Do not edit: npm run openapi
 */

/** An account, on the network of the key. */
export interface Account {
  /** Identifies the account. */
  account_id: string;
  /** The account's handle. */
  handle: string;
  type: "personal" | "business" | "agent";
  /** The account's address on chain, with its EIP-55 checksum. */
  public_key: `0x${string}`;
  /** How far the owner's identity is verified on the key's network. */
  kyc_status: "unverified" | "pending" | "verified" | "enhanced";
  /** When the account was created. */
  created_at: string;
}

/** The account's payment signing key has expired: API keys can pay again once you renew it. */
export interface AccountSpenderExpiredEvent {
  /** The event's type. */
  event: "account.spender.expired";
  /** Identifies the event: process each id once. */
  event_id: string;
  /** Handle of the account concerned, yours or an agent's of yours. */
  account: string;
  /** Sent by a test: made up. */
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
  /** Identifies the event: process each id once. */
  event_id: string;
  /** Handle of the account concerned, yours or an agent's of yours. */
  account: string;
  /** Sent by a test: made up. */
  test?: true;
  /** When the payment signing key expires: API keys cannot pay afterwards until you renew it. */
  expires_at: string;
  /** Days until then, rounded up. */
  days_left: number;
  /** When it happened. */
  timestamp: string;
}

/** An agent account. */
export interface Agent {
  /** Identifies the agent's account. */
  account_id: string;
  /** The agent's handle in its owner's namespace, `@owner/agent`. */
  handle: string;
  /** Address of the agent's wallet, with its EIP-55 checksum. */
  public_key: `0x${string}`;
  status: "active" | "paused";
  /** Identifies its spend policy. */
  spend_policy_id: string;
}

/** All agents of the account. */
export interface AgentList {
  agents: Agent[];
}

/** An agent's spend policy was changed. */
export interface AgentPolicyUpdatedEvent {
  /** The event's type. */
  event: "agent.policy.updated";
  /** Identifies the event: process each id once. */
  event_id: string;
  /** Handle of the account concerned, yours or an agent's of yours. */
  account: string;
  /** Sent by a test: made up. */
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
  /** Identifies the event: process each id once. */
  event_id: string;
  /** Handle of the account concerned, yours or an agent's of yours. */
  account: string;
  /** Sent by a test: made up. */
  test?: true;
  /** Identifies the payment that needs approval. */
  transaction_id: string;
  /** Handle of the agent. */
  agent: string;
  /** The recipient, as the agent wrote it. */
  to: string;
  /** When the agent asked. */
  requested_at: string;
  /** When the approval window ends. */
  expires_at: string;
  /** When the owner decided; once decided. */
  decided_at?: string;
  /** When it happened. */
  timestamp: string;
}

/** An agent's payment exceeded its approval threshold. */
export interface AgentTransactionPendingApprovalEvent {
  /** The event's type. */
  event: "agent.transaction.pending_approval";
  /** Identifies the event: process each id once. */
  event_id: string;
  /** Handle of the account concerned, yours or an agent's of yours. */
  account: string;
  /** Sent by a test: made up. */
  test?: true;
  /** Identifies the payment that needs approval. */
  transaction_id: string;
  /** Handle of the agent. */
  agent: string;
  /** The recipient, as the agent wrote it. */
  to: string;
  /** When the agent asked. */
  requested_at: string;
  /** When the approval window ends. */
  expires_at: string;
  /** When the owner decided; once decided. */
  decided_at?: string;
  /** When it happened. */
  timestamp: string;
}

/** The owner rejected an agent's payment. */
export interface AgentTransactionRejectedEvent {
  /** The event's type. */
  event: "agent.transaction.rejected";
  /** Identifies the event: process each id once. */
  event_id: string;
  /** Handle of the account concerned, yours or an agent's of yours. */
  account: string;
  /** Sent by a test: made up. */
  test?: true;
  /** Identifies the payment that needs approval. */
  transaction_id: string;
  /** Handle of the agent. */
  agent: string;
  /** The recipient, as the agent wrote it. */
  to: string;
  /** When the agent asked. */
  requested_at: string;
  /** When the approval window ends. */
  expires_at: string;
  /** When the owner decided; once decided. */
  decided_at?: string;
  /** When it happened. */
  timestamp: string;
}

/** Left out: the API key opens the payment. Else the owner's client has prepared it. */
export interface ApprovePayment {
  prepared?: PreparedPayment;
  /** The token of a balance lock that the owner's client holds. */
  lease_token?: string;
}

/** Who did what, chained by hashes. */
export interface AuditEntry {
  /** Identifies the entry. */
  id: string;
  /** Its place in the account's chain on the network, from 1 without gaps. */
  position: number;
  /** Who acted. */
  actor: {
    type: "key" | "session" | "agent" | "system";
    /** Of the key or session; null for the service itself. */
    id: string | null;
    /** The key's label, or the handle of the key's agent. */
    label?: string;
  };
  /** What was done. */
  action: string;
  /** The id of what was acted on. */
  target: string;
  /** Changed fields as they were. */
  before: Record<string, unknown> | null;
  /** Changed fields as they are. */
  after: Record<string, unknown> | null;
  /** The IP address the request came from. */
  client_address: string | null;
  /** When it was done. */
  created_at: string;
  /** SHA-256 over every other field but labels, the account, the network and the hash before. */
  hash: `0x${string}`;
  /** The hash of the entry before this one. */
  previous_hash: `0x${string}`;
}

/** Entries of the audit log, newest first. */
export interface AuditList {
  entries: AuditEntry[];
  /** Entries asked for. */
  limit: number;
  /** Entries skipped. */
  offset: number;
  /** Whether there are entries after these. */
  has_more: boolean;
}

/** One entry per asset the account has ever held. */
export type Balances = ProvenBalances | BalancesAboveZero;

/** Balances without a `decryption_proof`: no amounts. */
export interface BalancesAboveZero {
  balances: {
    /** Symbol of the asset. */
    asset: "USDG" | "ETH";
    /** Whether there is anything of it. */
    above_zero: boolean;
  }[];
}

/** May be left out altogether. */
export interface BalancesRequest {
  /** Base64, made by the owner's client (`halcyon proof`). */
  decryption_proof?: string;
}

/** An agent to register; the service makes its wallet. */
export interface CreateAgent {
  /** What stands after the slash of its handle. */
  name: string;
  spend_policy?: SpendPolicyFields;
}

/** A payment: either `amount` or `prepared`. */
export interface CreateTransfer {
  /** An `@handle`, `@owner/agent` or a 0x address. */
  to: string;
  /** Who pays: your own handle, or that of one of your agents. */
  from?: string;
  /** Decimal string: up to 6 places, of ETH 9. */
  amount?: string;
  /** Symbol of the asset. */
  asset?: "USDG" | "ETH";
  /** false pays in public: for recipients whose wallet cannot take confidential tokens. */
  confidential?: boolean;
  /** Text only the two sides can open, up to 512 bytes of UTF-8. */
  memo?: string;
  prepared?: PreparedPayment;
  /** The token of a balance lock that the owner's client holds. */
  lease_token?: string;
}

/** A subscription to make. */
export interface CreateWebhook {
  /** An https address that accepts POST. */
  url: string;
  /** Event types to send. */
  events: ("transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.policy.updated" | "account.spender.expiring" | "account.spender.expired")[];
}

/** A new subscription with its secret. */
export interface CreatedWebhook {
  /** Identifies the subscription. */
  webhook_id: string;
  /** Where events are sent, by POST. */
  url: string;
  /** Types that are sent. */
  events: ("transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.policy.updated" | "account.spender.expiring" | "account.spender.expired")[];
  /** Whether anything is sent. */
  enabled: boolean;
  /** `owner`: by PATCH. `failing`: 5 days without a success. `gone`: 24 hours of nothing but 410. */
  disabled_reason: "owner" | "failing" | "gone" | null;
  /** When it was disabled. */
  disabled_at: string | null;
  /** When it was created. */
  created_at: string;
  /** Signs deliveries (HMAC-SHA256). Shown once: keep it. */
  secret: string;
}

/** A payment that its owner has approved or rejected. */
export interface DecidedPayment {
  /** Identifies the payment that needs approval. */
  transaction_id: string;
  status: "approved" | "rejected";
  /** Handle of the agent. */
  agent: string;
  /** The recipient, as the agent wrote it. */
  to: string;
  /** The transfer that was made of it; once approved. */
  transfer_id?: string;
  /** That transfer's transaction on chain; once approved. */
  tx_hash?: `0x${string}`;
  /** When its owner decided. */
  decided_at: string;
}

/** What a policy says of payments made one after the other. */
export interface DecisionList {
  /** In the order of the payments. */
  decisions: PolicyDecision[];
}

/** One event on its way to one endpoint, with its newest attempt. */
export interface Delivery {
  /** Identifies the delivery. */
  delivery_id: string;
  /** The subscription it belongs to. */
  webhook_id: string;
  /** Identifies the event; a replay keeps it. */
  event_id: string;
  event: "transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.policy.updated" | "account.spender.expiring" | "account.spender.expired";
  /** Where the newest attempt went. */
  url: string;
  trigger: "automatic" | "replay" | "test";
  /** `failed`: another attempt follows at `next_attempt_at`. `exhausted`: none does. */
  status: "pending" | "succeeded" | "failed" | "exhausted";
  /** Attempts made. */
  attempt: number;
  /** Attempts after the first. */
  retry_count: number;
  /** HTTP status of the newest response. */
  response_code: number | null;
  /** The first 4 KiB of the newest response. */
  response_body: string | null;
  /** Why the newest attempt failed, by stage: `dns: …`, `address: …`, `tls: …`, `timeout: …`, `status: …`. */
  error: string | null;
  /** How long the newest attempt took. */
  duration_ms: number | null;
  /** When the newest attempt began. */
  attempted_at: string | null;
  /** When the next attempt is due. */
  next_attempt_at: string | null;
  /** When the delivery was queued. */
  created_at: string;
}

/** Deliveries, newest first, tests and replays included. */
export interface DeliveryList {
  deliveries: Delivery[];
  /** Entries asked for. */
  limit: number;
  /** Entries skipped. */
  offset: number;
  /** Whether there are entries after these. */
  has_more: boolean;
}

/** What the policy says of a payment nobody made. */
export interface DryRun {
  /** `held`: over the threshold, it would wait for the owner. */
  outcome: "allowed" | "held" | "denied";
  /** The first rule that fails; when denied. */
  reason?: "agent_paused" | "asset_not_allowed" | "recipient_not_allowed" | "outside_active_hours" | "per_transaction_limit" | "daily_limit" | "too_many_held";
  /** Every rule that was asked, in the order in which they count. */
  rules: {
    rule: "agent_paused" | "asset_not_allowed" | "recipient_not_allowed" | "outside_active_hours" | "per_transaction_limit" | "daily_limit" | "too_many_held" | "approval_threshold";
    outcome: "pass" | "fail" | "hold";
  }[];
  dry_run: true;
}

/** Every error response. */
export interface Error {
  error: {
    /** What went wrong, for programs. */
    code: "invalid_request" | "invalid_policy" | "unauthorized" | "insufficient_balance" | "kyc_required" | "not_agent_owner" | "policy_violation" | "key_forbidden" | "not_found" | "recipient_not_found" | "transaction_not_found" | "method_not_allowed" | "transaction_expired" | "handle_taken" | "idempotency_in_progress" | "budget_changed" | "reseal_required" | "recipient_not_confidential_ready" | "decryption_proof_invalid" | "idempotency_mismatch" | "rate_limited" | "internal" | "unavailable";
    /** What to do next, for people. Never an amount or a value that was sent. */
    message: string;
    /** The field at fault, as a dotted path. */
    param?: string;
    /** All fields at fault, when there are several. */
    errors?: {
      param: string;
      message: string;
    }[];
    /** Which rule refuses; only of `policy_violation`. */
    reason?: "agent_paused" | "asset_not_allowed" | "recipient_not_allowed" | "outside_active_hours" | "per_transaction_limit" | "daily_limit" | "too_many_held";
    /** As `X-Request-Id`: quote it when you ask for help. */
    request_id: string;
    /** The page that explains the code, relative to the service's address. */
    doc_url: string;
  };
}

/** What happened, by type. No event holds an amount. */
export type Event = TransferInitiatedEvent | TransferConfirmedEvent | TransferFailedEvent | AgentTransactionPendingApprovalEvent | AgentTransactionApprovedEvent | AgentTransactionRejectedEvent | AgentPolicyUpdatedEvent | AccountSpenderExpiringEvent | AccountSpenderExpiredEvent;

/** Events, newest first; with `after` a stream, oldest first. */
export interface EventList {
  events: Event[];
  /** Entries asked for. */
  limit: number;
  /** Entries skipped. */
  offset: number;
  /** Whether there are entries after these. */
  has_more: boolean;
}

/** An agent's payment above its approval threshold. It awaits the owner's decision. */
export interface HeldPayment {
  /** Identifies the payment that needs approval. */
  transaction_id: string;
  status: "pending_approval" | "approved" | "rejected" | "expired";
  /** Handle of the agent. */
  agent: string;
  /** The recipient, as the agent wrote it. */
  to: string;
  /** When the agent asked. */
  requested_at: string;
  /** When the approval window ends. */
  expires_at: string;
}

/** A payment that needed approval, with its state. */
export interface HeldPaymentDetails {
  /** Identifies the payment that needs approval. */
  transaction_id: string;
  status: "pending_approval" | "approved" | "rejected" | "expired";
  /** Handle of the agent. */
  agent: string;
  /** The recipient, as the agent wrote it. */
  to: string;
  /** When the agent asked. */
  requested_at: string;
  /** When the approval window ends. */
  expires_at: string;
  /** When its owner decided. */
  decided_at: string | null;
  /** The transfer that was made of it; once approved. */
  transfer_id?: string;
  /** That transfer's transaction on chain; once approved. */
  tx_hash?: `0x${string}`;
}

/** Payments awaiting approval. */
export interface PendingList {
  pending: HeldPayment[];
  /** Entries asked for. */
  limit: number;
  /** Entries skipped. */
  offset: number;
  /** Whether there are entries after these. */
  has_more: boolean;
}

/** What a spend policy says of a payment, rule by rule. */
export interface PolicyDecision {
  /** `held`: over the threshold, it would wait for the owner. */
  outcome: "allowed" | "held" | "denied";
  /** The first rule that fails; when denied. */
  reason?: "agent_paused" | "asset_not_allowed" | "recipient_not_allowed" | "outside_active_hours" | "per_transaction_limit" | "daily_limit" | "too_many_held";
  /** Every rule that was asked, in the order in which they count. */
  rules: {
    rule: "agent_paused" | "asset_not_allowed" | "recipient_not_allowed" | "outside_active_hours" | "per_transaction_limit" | "daily_limit" | "too_many_held" | "approval_threshold";
    outcome: "pass" | "fail" | "hold";
  }[];
}

/** A move between an account and its agent, proven and signed. */
export interface PreparedFund {
  kind: "fund";
  account: `0x${string}`;
  to: `0x${string}`;
  asset: `0x${string}`;
  old_budget: `0x${string}`;
  new_budget: `0x${string}`;
  deadline: string;
  payer_ciphertext: `0x${string}`;
  next_state: {
    sealed: `0x${string}`;
    flag: `0x${string}`;
  };
  to_old_budget: `0x${string}`;
  to_new_budget: `0x${string}`;
  to_ciphertext: `0x${string}`;
  to_next_state: {
    sealed: `0x${string}`;
    flag: `0x${string}`;
  };
  memo_ciphertext?: `0x${string}`;
  proof: `0x${string}`;
  signature: `0x${string}`;
}

/** A payment made by the owner's client, ready to relay. */
export type PreparedPayment = PreparedTransfer | PreparedRelease | PreparedFund;

/** A public payment, proven and signed. */
export interface PreparedRelease {
  kind: "release";
  account: `0x${string}`;
  to: `0x${string}`;
  asset: `0x${string}`;
  old_budget: `0x${string}`;
  new_budget: `0x${string}`;
  deadline: string;
  payer_ciphertext: `0x${string}`;
  next_state: {
    sealed: `0x${string}`;
    flag: `0x${string}`;
  };
  amount: string;
  memo_ciphertext?: `0x${string}`;
  recipient_memo_ciphertext?: `0x${string}`;
  proof: `0x${string}`;
  signature: `0x${string}`;
}

/** A confidential payment, proven and signed. */
export interface PreparedTransfer {
  kind: "transfer";
  account: `0x${string}`;
  to: `0x${string}`;
  asset: `0x${string}`;
  old_budget: `0x${string}`;
  new_budget: `0x${string}`;
  deadline: string;
  payer_ciphertext: `0x${string}`;
  next_state: {
    sealed: `0x${string}`;
    flag: `0x${string}`;
  };
  note: `0x${string}`;
  recipient_ciphertext: `0x${string}`;
  memo_ciphertext?: `0x${string}`;
  proof: `0x${string}`;
  signature: `0x${string}`;
}

/** Balances, with a `decryption_proof`. */
export interface ProvenBalances {
  balances: {
    /** Symbol of the asset. */
    asset: "USDG" | "ETH";
    /** Decimal string. */
    amount: string;
  }[];
  /** Received payments the proof has left out. */
  unopened_notes: number;
}

/** What to send again. */
export interface Redeliver {
  /** Deliveries made since then: ISO 8601 with a zone. */
  since: string;
}

/** What a redelivery came to. */
export interface Redelivery {
  /** Events that are sent again. */
  queued: number;
  /** There are further ones: ask again. */
  has_more: boolean;
}

/** A subscription with its new secret. */
export interface RotatedWebhook {
  /** Identifies the subscription. */
  webhook_id: string;
  /** Where events are sent, by POST. */
  url: string;
  /** Types that are sent. */
  events: ("transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.policy.updated" | "account.spender.expiring" | "account.spender.expired")[];
  /** Whether anything is sent. */
  enabled: boolean;
  /** `owner`: by PATCH. `failing`: 5 days without a success. `gone`: 24 hours of nothing but 410. */
  disabled_reason: "owner" | "failing" | "gone" | null;
  /** When it was disabled. */
  disabled_at: string | null;
  /** When it was created. */
  created_at: string;
  /** Signs deliveries (HMAC-SHA256). Shown once: keep it. */
  secret: string;
  /** Until then the secret before this one signs too. */
  previous_secret_expires_at: string | null;
}

/** Fields over the stored policy, and payments one after the other. */
export interface SimulatePolicy {
  spend_policy?: SpendPolicyFields;
  payments: {
    /** An `@handle`, `@owner/agent` or a 0x address. */
    to: string;
    amount: string;
    /** Symbol of the asset. */
    asset?: "USDG" | "ETH";
    /** When it would be made; now when left out. */
    at?: string;
  }[];
}

/** What an agent may spend by itself. */
export interface SpendPolicy {
  /** Identifies the policy. */
  policy_id: string;
  /** Most USDG in one calendar day of `time_zone`. */
  daily_limit_usdg: number;
  /** Most USDG in one payment. */
  per_transaction_limit_usdg: number;
  /** Handles, addresses, `*.domain`, or `*` for anyone. */
  allowed_recipients: string[];
  /** Assets the agent may spend. */
  assets: ("USDG" | "ETH")[];
  /** `HH:MM-HH:MM`, the end not included. */
  active_hours: string;
  /** Payments of strictly more USDG are held for the owner. */
  hitl_threshold_usdg: number;
  /** IANA name of the zone of hours and day. */
  time_zone: string;
  /** Limits of assets other than USDG, as decimal strings. */
  limits: {
    ETH?: {
      daily: string;
      per_transaction: string;
      hitl_threshold: string;
    };
  };
  /** When it was last changed. */
  updated_at: string;
}

/** Fields of a spend policy; what is left out stays, or denies in a new one. */
export interface SpendPolicyFields {
  /** Most USDG in one calendar day of `time_zone`. */
  daily_limit_usdg?: number;
  /** Most USDG in one payment. */
  per_transaction_limit_usdg?: number;
  /** Handles, addresses, `*.domain`, or `*` for anyone. */
  allowed_recipients?: string[];
  /** Assets the agent may spend. */
  assets?: ("USDG" | "ETH")[];
  /** `HH:MM-HH:MM`, the end not included. */
  active_hours?: string;
  /** Payments of strictly more USDG are held for the owner. */
  hitl_threshold_usdg?: number;
  /** IANA name of the zone of hours and day. */
  time_zone?: string;
  /** Limits of assets other than USDG, as decimal strings. */
  limits?: {
    ETH?: {
      /** Send a decimal string from "0" to "1000000000" with up to 9 decimal places. */
      daily: string;
      /** Send a decimal string from "0" to "1000000000" with up to 9 decimal places. */
      per_transaction: string;
      /** Send a decimal string from "0" to "1000000000" with up to 9 decimal places. */
      hitl_threshold: string;
    };
  };
}

/** Which type to send. */
export interface TestWebhook {
  /** `transfer.confirmed` when left out. */
  event?: "transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.policy.updated" | "account.spender.expiring" | "account.spender.expired";
}

/** A payment, without its amount: only the two sides can open that. */
export interface Transfer {
  /** Identifies the transfer. */
  transfer_id: string;
  /** `pending`: sent to the chain. `confirmed`: final there. `failed`: did not settle, nothing moved. */
  status: "pending" | "confirmed" | "failed";
  /** Handle of the sender. */
  from: string;
  /** The recipient, as the sender wrote it. */
  to: string;
  /** Which side of it you are. */
  direction: "sent" | "received";
  /** Symbol of the asset. */
  asset: string;
  /** Whether the amount is encrypted on chain. */
  confidential: boolean;
  /** Hash of the transaction on chain. */
  tx_hash: `0x${string}`;
  /** When it was accepted. */
  created_at: string;
  /** When it became final on chain; null until then. */
  confirmed_at: string | null;
}

/** A payment reached settlement on chain. */
export interface TransferConfirmedEvent {
  /** The event's type. */
  event: "transfer.confirmed";
  /** Identifies the event: process each id once. */
  event_id: string;
  /** Handle of the account concerned, yours or an agent's of yours. */
  account: string;
  /** Sent by a test: made up. */
  test?: true;
  /** Identifies the transfer. */
  transfer_id: string;
  /** Which side of it `account` is. */
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
  /** Identifies the event: process each id once. */
  event_id: string;
  /** Handle of the account concerned, yours or an agent's of yours. */
  account: string;
  /** Sent by a test: made up. */
  test?: true;
  /** Identifies the transfer. */
  transfer_id: string;
  /** Which side of it `account` is. */
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
  /** Identifies the event: process each id once. */
  event_id: string;
  /** Handle of the account concerned, yours or an agent's of yours. */
  account: string;
  /** Sent by a test: made up. */
  test?: true;
  /** Identifies the transfer. */
  transfer_id: string;
  /** Which side of it `account` is. */
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

/** Transfers, newest first. */
export interface TransferList {
  transfers: Transfer[];
  /** Entries asked for. */
  limit: number;
  /** Entries skipped. */
  offset: number;
  /** Whether there are entries after these. */
  has_more: boolean;
}

/** What is left out stays. */
export interface UpdateWebhook {
  /** An https address that accepts POST. */
  url?: string;
  /** Event types to send. */
  events?: ("transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.policy.updated" | "account.spender.expiring" | "account.spender.expired")[];
  /** Whether anything is sent. */
  enabled?: boolean;
}

/** A subscription to events, without its secret. */
export interface Webhook {
  /** Identifies the subscription. */
  webhook_id: string;
  /** Where events are sent, by POST. */
  url: string;
  /** Types that are sent. */
  events: ("transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.policy.updated" | "account.spender.expiring" | "account.spender.expired")[];
  /** Whether anything is sent. */
  enabled: boolean;
  /** `owner`: by PATCH. `failing`: 5 days without a success. `gone`: 24 hours of nothing but 410. */
  disabled_reason: "owner" | "failing" | "gone" | null;
  /** When it was disabled. */
  disabled_at: string | null;
  /** When it was created. */
  created_at: string;
}

/** All subscriptions. */
export interface WebhookList {
  webhooks: Webhook[];
}
