/*
 * The API's requests and responses as types. Generated from docs/openapi.json, which is made of the schemas that the routes
 * parse and serialise with. Do not edit: npm run openapi
 */

/** An account, on the network of the API key. */
export interface Account {
  /** Identifies the account. */
  account_id: string;
  /** The account's handle. */
  handle: string;
  /** `agent` for an agent of yours; otherwise the kind of owner. */
  type: "personal" | "business" | "agent";
  /** The account's address on chain, with its EIP-55 checksum. */
  public_key: `0x${string}`;
  /** How far the owner's identity is verified on the API key's network. */
  kyc_status: "unverified" | "pending" | "verified" | "enhanced";
  /** When the account was created. */
  created_at: string;
  /** The API key of this request. */
  key: {
    /** Identifies the API key of this request. */
    key_id: string;
    /** What the key may do; null if it may do everything. */
    scopes: ("read" | "pay" | "agents" | "approvals" | "webhooks")[] | null;
  };
}

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

/** An agent account. */
export interface Agent {
  /** Identifies the agent's account. */
  account_id: string;
  /** The agent's handle in its owner's namespace, `@owner/agent`. */
  handle: string;
  /** Address of the agent's wallet, with its EIP-55 checksum. */
  public_key: `0x${string}`;
  /** A `paused` agent can't pay until you resume it. */
  status: "active" | "paused";
  /** Identifies its spend policy. */
  spend_policy_id: string;
}

/** All agents of the account. */
export interface AgentList {
  /** Every agent of the account. */
  agents: Agent[];
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

/** You can omit the body: the API key then decrypts and signs the payment. */
export interface ApprovePayment {
  /** The payment, signed on your device. If omitted, the API key decrypts and signs it. */
  prepared?: PreparedPayment;
  /** The token of the balance lock that your client holds. For client-signed payments only. */
  lease_token?: string;
}

/** A change and who made it, linked to the entry before it by a hash. */
export interface AuditEntry {
  /** Identifies the entry. */
  id: string;
  /** Number of the entry in the account's log on this network, from 1 without gaps. */
  position: number;
  /** Who acted. */
  actor: {
    /** `key`: an API key of the account. `session`: its owner, signed in with the wallet. `agent`: an API key of an agent. `system`: Halcyon itself. */
    type: "key" | "session" | "agent" | "system";
    /** Id of the API key or session; null when Halcyon itself acted. */
    id: string | null;
    /** The key's label, or the handle of the key's agent. */
    label?: string;
  };
  /** What happened. */
  action: string;
  /** Id of the object that was changed. */
  target: string;
  /** The changed fields before; null for a new object. */
  before: Record<string, unknown> | null;
  /** The changed fields after; null for a deleted object. */
  after: Record<string, unknown> | null;
  /** The IP address the request came from. */
  client_address: string | null;
  /** When it happened. */
  created_at: string;
  /** SHA-256 over the account, the network, the previous hash and every other field except labels. */
  hash: `0x${string}`;
  /** The hash of the entry before this one. */
  previous_hash: `0x${string}`;
}

/** Entries of the audit log, newest first. */
export interface AuditList {
  /** The entries of this page. */
  entries: AuditEntry[];
  /** Number of entries requested. */
  limit: number;
  /** Number of entries skipped. */
  offset: number;
  /** Whether more entries follow this page. */
  has_more: boolean;
}

/** One entry per asset the account has ever held. */
export type Balances = ProvenBalances | BalancesAboveZero;

/** Balances without a `decryption_proof`: no amounts. */
export interface BalancesAboveZero {
  /** One entry per asset. */
  balances: {
    /** Symbol of the asset. */
    asset: "USDG" | "ETH";
    /** Whether the balance is more than zero. */
    above_zero: boolean;
  }[];
}

/** You can omit the body. */
export interface BalancesRequest {
  /** A proof of your balances in base64, created with the SDK or `halcyon proof`. If omitted, the response contains no amounts. */
  decryption_proof?: string;
}

/** An agent to create. Halcyon creates its wallet. */
export interface CreateAgent {
  /** The part of the agent's handle after the slash: 1 to 32 lower-case letters, digits, `-` and `_`. */
  name: string;
  /** The agent's first policy. If omitted, the agent can't pay anyone. */
  spend_policy?: SpendPolicyFields;
}

/** A payment. Send either `amount` or `prepared`. */
export interface CreateTransfer {
  /** The recipient: an `@handle`, an agent's `@owner/agent` or a 0x address. */
  to: string;
  /** Who pays: your own handle, or that of one of your agents. If omitted, the account of the API key. */
  from?: string;
  /** The amount, as a decimal string: up to 6 decimal places for USDG, up to 9 for ETH. */
  amount?: string;
  /** Symbol of the asset. Defaults to `USDG`. */
  asset?: "USDG" | "ETH";
  /** `false` sends a public payment, whose amount anyone can see. Use it for recipients that can't receive confidential payments. Defaults to `true`. */
  confidential?: boolean;
  /** A text that only the payer and the recipient can decrypt, up to 512 bytes of UTF-8. */
  memo?: string;
  /** A client-signed payment, in place of `amount` and `memo`. The SDK creates it. */
  prepared?: PreparedPayment;
  /** The token of the balance lock that your client holds. For client-signed payments only. */
  lease_token?: string;
}

/** A webhook to create. */
export interface CreateWebhook {
  /** The https URL that receives events by POST. */
  url: string;
  /** The event types you want to receive, at least one. */
  events: ("transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.policy.updated" | "account.spender.expiring" | "account.spender.expired")[];
}

/** A new subscription with its secret. */
export interface CreatedWebhook {
  /** Identifies the subscription. */
  webhook_id: string;
  /** The URL that receives events by POST. */
  url: string;
  /** The event types that are sent to it. */
  events: ("transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.policy.updated" | "account.spender.expiring" | "account.spender.expired")[];
  /** Whether events are sent. */
  enabled: boolean;
  /** Why it is disabled. `owner`: you disabled it. `failing`: no delivery succeeded for 5 days. `gone`: it returned nothing but 410 for 24 hours. */
  disabled_reason: "owner" | "failing" | "gone" | null;
  /** When it was disabled. */
  disabled_at: string | null;
  /** When it was created. */
  created_at: string;
  /** The secret that signs deliveries (HMAC-SHA256). It is shown only once: store it. */
  secret: string;
}

/** A payment that its owner has approved or rejected. */
export interface DecidedPayment {
  /** Identifies the payment that needs approval. */
  transaction_id: string;
  /** The decision. */
  status: "approved" | "rejected";
  /** Handle of the agent. */
  agent: string;
  /** The recipient, as the agent wrote it. */
  to: string;
  /** The transfer that pays it, once approved. */
  transfer_id?: string;
  /** Hash of that transfer's transaction on chain, once approved. */
  tx_hash?: `0x${string}`;
  /** When the owner decided. */
  decided_at: string;
}

/** What a policy decides for payments made one after the other. */
export interface DecisionList {
  /** One decision per payment, in the order you sent the payments. */
  decisions: PolicyDecision[];
}

/** One event on its way to one endpoint, with its newest attempt. */
export interface Delivery {
  /** Identifies the delivery. */
  delivery_id: string;
  /** The subscription it belongs to. */
  webhook_id: string;
  /** Identifies the event. A replay has the same id. */
  event_id: string;
  /** Type of the event. */
  event: "transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.policy.updated" | "account.spender.expiring" | "account.spender.expired";
  /** Where the newest attempt went. */
  url: string;
  /** `automatic`: the event happened. `replay`: you replayed or redelivered it. `test`: you sent a test event. */
  trigger: "automatic" | "replay" | "test";
  /** `pending`: not attempted yet. `succeeded`: your endpoint returned a 2xx status. `failed`: another attempt follows at `next_attempt_at`. `exhausted`: no attempt follows. */
  status: "pending" | "succeeded" | "failed" | "exhausted";
  /** Number of attempts so far. */
  attempt: number;
  /** Number of attempts after the first. */
  retry_count: number;
  /** HTTP status of the newest response; null without one. */
  response_code: number | null;
  /** The first 4 KiB of the newest response; null without one. */
  response_body: string | null;
  /** Why the newest attempt failed, by stage: `dns: …`, `address: …`, `tls: …`, `timeout: …`, `status: …`. */
  error: string | null;
  /** How long the newest attempt took, in milliseconds. */
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
  /** The deliveries of this page. */
  deliveries: Delivery[];
  /** Number of entries requested. */
  limit: number;
  /** Number of entries skipped. */
  offset: number;
  /** Whether more entries follow this page. */
  has_more: boolean;
}

/** The policy's decision on a payment. Nothing is paid. */
export interface DryRun {
  /** `allowed`: the payment would be sent. `held`: it would await the owner's approval. `denied`: it would be refused. */
  outcome: "allowed" | "held" | "denied";
  /** The first rule that fails. Present when `outcome` is `denied`. */
  reason?: "agent_paused" | "asset_not_allowed" | "recipient_not_allowed" | "outside_active_hours" | "per_transaction_limit" | "daily_limit" | "too_many_held";
  /** Every rule that was checked, in order of precedence. */
  rules: {
    /** The rule that was checked. */
    rule: "agent_paused" | "asset_not_allowed" | "recipient_not_allowed" | "outside_active_hours" | "per_transaction_limit" | "daily_limit" | "too_many_held" | "approval_threshold";
    /** `pass`: the payment meets the rule. `fail`: it does not, and is refused. `hold`: it needs your approval. */
    outcome: "pass" | "fail" | "hold";
  }[];
  /** Always `true`: nothing was paid. */
  dry_run: true;
}

/** The encrypted text of a payment awaiting approval. Only the owner's client can decrypt it. */
export interface EncryptedHeldPayment {
  /** Symbol of the asset. */
  asset: string;
  /** Whether the amount would be encrypted on chain. */
  confidential: boolean;
  /** The address that the recipient had when the agent asked. */
  recipient: `0x${string}`;
  /** Encrypted for the owner's held key: amount and memo. `0x` once the payment was made. */
  sealed: `0x${string}`;
  /** Version of the account secret that it is encrypted under. */
  secret_version: number;
}

/** The encrypted copies of a transfer. Only its two sides can decrypt them. */
export interface EncryptedTransfer {
  /** `transfer`: a confidential payment. `release`: a public one. `fund`: between an account and its own agent. */
  kind: "transfer" | "release" | "fund";
  /** The sender's address. */
  account: `0x${string}`;
  /** The recipient's address. */
  recipient: `0x${string}`;
  /** The token's contract; zero for ETH. */
  asset_address: `0x${string}`;
  /** The commitment that the recipient got; null if the payment created none. */
  note: `0x${string}` | null;
  /** The sender's available balance before it, as a commitment. */
  old_word: `0x${string}`;
  /** The sender's available balance after it, as a commitment. */
  new_word: `0x${string}`;
  /** Encrypted for the recipient's viewing key: amount and salt. */
  recipient_ciphertext: `0x${string}` | null;
  /** Encrypted for the sender's viewing key: amount, new balance and seed. */
  payer_ciphertext: `0x${string}` | null;
  /** The memo, encrypted under the note's salt; of a public payment, for the sender. */
  memo: `0x${string}` | null;
  /** The memo of a public payment, encrypted for the recipient. */
  recipient_memo: `0x${string}` | null;
}

/** The body of every error response. */
export interface Error {
  /** What went wrong and what to do next. */
  error: {
    /** The error code, for programs. It never changes its meaning. */
    code: "invalid_request" | "invalid_policy" | "unauthorized" | "insufficient_balance" | "kyc_required" | "not_agent_owner" | "policy_violation" | "key_forbidden" | "not_found" | "recipient_not_found" | "transaction_not_found" | "method_not_allowed" | "transaction_expired" | "handle_taken" | "idempotency_in_progress" | "budget_changed" | "reseal_required" | "recipient_not_confidential_ready" | "decryption_proof_invalid" | "idempotency_mismatch" | "rate_limited" | "internal" | "unavailable";
    /** What to do next, for people. Never an amount or a value that was sent. */
    message: string;
    /** The field at fault, as a dotted path. */
    param?: string;
    /** Every field at fault. Present when there are several. */
    errors?: {
      /** The field at fault, as a dotted path. */
      param: string;
      /** What to do about it. */
      message: string;
    }[];
    /** The rule that refuses the payment. Present with `policy_violation` only. */
    reason?: "agent_paused" | "asset_not_allowed" | "recipient_not_allowed" | "outside_active_hours" | "per_transaction_limit" | "daily_limit" | "too_many_held";
    /** Identifies the request, as does `X-Request-Id`. Quote it when you ask for help. */
    request_id: string;
    /** The URL of the page that explains the code, on this service. */
    doc_url: string;
  };
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

/** An agent's payment above its approval threshold. It awaits the owner's decision. */
export interface HeldPayment {
  /** Identifies the payment that needs approval. */
  transaction_id: string;
  /** `pending_approval`: awaiting your decision. `expired`: nobody decided before `expires_at`. */
  status: "pending_approval" | "approved" | "rejected" | "expired";
  /** Handle of the agent. */
  agent: string;
  /** The recipient, as the agent wrote it. */
  to: string;
  /** When the agent requested the payment. */
  requested_at: string;
  /** When the approval window ends. */
  expires_at: string;
  /** Its encrypted text; only with `include=encrypted`. */
  encrypted?: EncryptedHeldPayment;
}

/** A payment that needed approval, with its state. */
export interface HeldPaymentDetails {
  /** Identifies the payment that needs approval. */
  transaction_id: string;
  /** `pending_approval`: awaiting your decision. `expired`: nobody decided before `expires_at`. */
  status: "pending_approval" | "approved" | "rejected" | "expired";
  /** Handle of the agent. */
  agent: string;
  /** The recipient, as the agent wrote it. */
  to: string;
  /** When the agent requested the payment. */
  requested_at: string;
  /** When the approval window ends. */
  expires_at: string;
  /** Its encrypted text; only with `include=encrypted`. */
  encrypted?: EncryptedHeldPayment;
  /** When the owner decided. */
  decided_at: string | null;
  /** The transfer that pays it, once approved. */
  transfer_id?: string;
  /** Hash of that transfer's transaction on chain, once approved. */
  tx_hash?: `0x${string}`;
}

/** Payments awaiting approval. */
export interface PendingList {
  /** The payments of this page. */
  pending: HeldPayment[];
  /** Number of entries requested. */
  limit: number;
  /** Number of entries skipped. */
  offset: number;
  /** Whether more entries follow this page. */
  has_more: boolean;
}

/** What a spend policy decides for a payment, rule by rule. */
export interface PolicyDecision {
  /** `allowed`: the payment would be sent. `held`: it would await the owner's approval. `denied`: it would be refused. */
  outcome: "allowed" | "held" | "denied";
  /** The first rule that fails. Present when `outcome` is `denied`. */
  reason?: "agent_paused" | "asset_not_allowed" | "recipient_not_allowed" | "outside_active_hours" | "per_transaction_limit" | "daily_limit" | "too_many_held";
  /** Every rule that was checked, in order of precedence. */
  rules: {
    /** The rule that was checked. */
    rule: "agent_paused" | "asset_not_allowed" | "recipient_not_allowed" | "outside_active_hours" | "per_transaction_limit" | "daily_limit" | "too_many_held" | "approval_threshold";
    /** `pass`: the payment meets the rule. `fail`: it does not, and is refused. `hold`: it needs your approval. */
    outcome: "pass" | "fail" | "hold";
  }[];
}

/** A move between an account and its agent, proved and signed. */
export interface PreparedFund {
  /** A move of money between an account and its agent. */
  kind: "fund";
  /** Address of the payer, in lower case. */
  account: `0x${string}`;
  /** Address of the recipient, in lower case. */
  to: `0x${string}`;
  /** Address of the asset's contract in lower case; the zero address is ETH. */
  asset: `0x${string}`;
  /** Commitment to the payer's available balance before the payment. */
  old_budget: `0x${string}`;
  /** Commitment to the payer's available balance after the payment. */
  new_budget: `0x${string}`;
  /** Unix time in seconds after which the payment can't happen, as a decimal string. */
  deadline: string;
  /** The payment, encrypted for the payer. */
  payer_ciphertext: `0x${string}`;
  /** The payer's available balance after the payment, encrypted. */
  next_state: {
    /** The new available balance, encrypted under the account secret. */
    sealed: `0x${string}`;
    /** Whether the new available balance is above zero, encrypted for the API keys of the account. */
    flag: `0x${string}`;
  };
  /** Commitment to the recipient's available balance before the move. */
  to_old_budget: `0x${string}`;
  /** Commitment to the recipient's available balance after the move. */
  to_new_budget: `0x${string}`;
  /** The move, encrypted for the recipient. */
  to_ciphertext: `0x${string}`;
  /** The recipient's available balance after the move, encrypted. */
  to_next_state: {
    /** The new available balance, encrypted under the account secret. */
    sealed: `0x${string}`;
    /** Whether the new available balance is above zero, encrypted for the API keys of the account. */
    flag: `0x${string}`;
  };
  /** The memo, encrypted. Every memo has the same length. */
  memo_ciphertext?: `0x${string}`;
  /** The zero-knowledge proof (Groth16) of the payment. */
  proof: `0x${string}`;
  /** EIP-712 signature of the payment by the payer's wallet or payment signing key. */
  signature: `0x${string}`;
}

/** A client-signed payment, ready to submit. The SDK creates it. */
export type PreparedPayment = PreparedTransfer | PreparedRelease | PreparedFund;

/** A public payment, proved and signed. */
export interface PreparedRelease {
  /** A public payment. */
  kind: "release";
  /** Address of the payer, in lower case. */
  account: `0x${string}`;
  /** Address of the recipient, in lower case. */
  to: `0x${string}`;
  /** Address of the asset's contract in lower case; the zero address is ETH. */
  asset: `0x${string}`;
  /** Commitment to the payer's available balance before the payment. */
  old_budget: `0x${string}`;
  /** Commitment to the payer's available balance after the payment. */
  new_budget: `0x${string}`;
  /** Unix time in seconds after which the payment can't happen, as a decimal string. */
  deadline: string;
  /** The payment, encrypted for the payer. */
  payer_ciphertext: `0x${string}`;
  /** The payer's available balance after the payment, encrypted. */
  next_state: {
    /** The new available balance, encrypted under the account secret. */
    sealed: `0x${string}`;
    /** Whether the new available balance is above zero, encrypted for the API keys of the account. */
    flag: `0x${string}`;
  };
  /** The amount in the smallest unit of the asset, as a decimal string. Public. */
  amount: string;
  /** The memo, encrypted. Every memo has the same length. */
  memo_ciphertext?: `0x${string}`;
  /** The memo, encrypted for the recipient. */
  recipient_memo_ciphertext?: `0x${string}`;
  /** The zero-knowledge proof (Groth16) of the payment. */
  proof: `0x${string}`;
  /** EIP-712 signature of the payment by the payer's wallet or payment signing key. */
  signature: `0x${string}`;
}

/** A confidential payment, proved and signed. */
export interface PreparedTransfer {
  /** A confidential payment. */
  kind: "transfer";
  /** Address of the payer, in lower case. */
  account: `0x${string}`;
  /** Address of the recipient, in lower case. */
  to: `0x${string}`;
  /** Address of the asset's contract in lower case; the zero address is ETH. */
  asset: `0x${string}`;
  /** Commitment to the payer's available balance before the payment. */
  old_budget: `0x${string}`;
  /** Commitment to the payer's available balance after the payment. */
  new_budget: `0x${string}`;
  /** Unix time in seconds after which the payment can't happen, as a decimal string. */
  deadline: string;
  /** The payment, encrypted for the payer. */
  payer_ciphertext: `0x${string}`;
  /** The payer's available balance after the payment, encrypted. */
  next_state: {
    /** The new available balance, encrypted under the account secret. */
    sealed: `0x${string}`;
    /** Whether the new available balance is above zero, encrypted for the API keys of the account. */
    flag: `0x${string}`;
  };
  /** Commitment to the amount that the recipient receives. */
  note: `0x${string}`;
  /** The payment, encrypted for the recipient. */
  recipient_ciphertext: `0x${string}`;
  /** The memo, encrypted. Every memo has the same length. */
  memo_ciphertext?: `0x${string}`;
  /** The zero-knowledge proof (Groth16) of the payment. */
  proof: `0x${string}`;
  /** EIP-712 signature of the payment by the payer's wallet or payment signing key. */
  signature: `0x${string}`;
}

/** Balances, with a `decryption_proof`. */
export interface ProvenBalances {
  /** One entry per asset. */
  balances: {
    /** Symbol of the asset. */
    asset: "USDG" | "ETH";
    /** The amount, as a decimal string. */
    amount: string;
  }[];
  /** Number of received payments that the proof leaves out. Their amounts are missing from `balances`. */
  unopened_notes: number;
}

/** Which failed deliveries to send again. */
export interface Redeliver {
  /** Redelivers events whose delivery was queued at or after this time. ISO 8601 with a time zone. */
  since: string;
}

/** How many events a redelivery sends again. */
export interface Redelivery {
  /** Number of events that are sent again. */
  queued: number;
  /** Whether more events failed since then. Repeat the request to send them too. */
  has_more: boolean;
}

/** A subscription with its new secret. */
export interface RotatedWebhook {
  /** Identifies the subscription. */
  webhook_id: string;
  /** The URL that receives events by POST. */
  url: string;
  /** The event types that are sent to it. */
  events: ("transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.policy.updated" | "account.spender.expiring" | "account.spender.expired")[];
  /** Whether events are sent. */
  enabled: boolean;
  /** Why it is disabled. `owner`: you disabled it. `failing`: no delivery succeeded for 5 days. `gone`: it returned nothing but 410 for 24 hours. */
  disabled_reason: "owner" | "failing" | "gone" | null;
  /** When it was disabled. */
  disabled_at: string | null;
  /** When it was created. */
  created_at: string;
  /** The secret that signs deliveries (HMAC-SHA256). It is shown only once: store it. */
  secret: string;
  /** Until this time, the previous secret signs deliveries too. */
  previous_secret_expires_at: string | null;
}

/** Payments to evaluate, and changes to the stored policy to try. */
export interface SimulatePolicy {
  /** Fields to change in the stored policy for this simulation. */
  spend_policy?: SpendPolicyFields;
  /** 1 to 100 payments, evaluated one after the other. */
  payments: {
    /** The recipient: an `@handle`, an agent's `@owner/agent` or a 0x address. */
    to: string;
    /** The amount, as a decimal string: up to 6 decimal places for USDG, up to 9 for ETH. */
    amount: string;
    /** Symbol of the asset. Defaults to `USDG`. */
    asset?: "USDG" | "ETH";
    /** When the payment would take place. If omitted, now. ISO 8601 with a time zone. */
    at?: string;
  }[];
}

/** The limits, recipients, assets and hours that an agent must meet. */
export interface SpendPolicy {
  /** Identifies the policy. */
  policy_id: string;
  /** The most USDG that the agent can spend per calendar day of `time_zone`. */
  daily_limit_usdg: number;
  /** The most USDG that the agent can spend in one payment. */
  per_transaction_limit_usdg: number;
  /** Who the agent can pay: handles, addresses, `*.domain` for every handle of a domain, or `*` for anyone. */
  allowed_recipients: string[];
  /** The assets that the agent can spend. */
  assets: ("USDG" | "ETH")[];
  /** When the agent can pay, as `HH:MM-HH:MM` in `time_zone`. The end is excluded; `00:00-24:00` is all day. */
  active_hours: string;
  /** Payments above this amount of USDG need your approval. */
  hitl_threshold_usdg: number;
  /** IANA time zone of `active_hours` and of the day of the daily limit. */
  time_zone: string;
  /** Limits for assets other than USDG, as decimal strings. */
  limits: {
    /** Limits for ETH. */
    ETH?: {
      /** The most that the agent can spend per calendar day of `time_zone`. */
      daily: string;
      /** The most that the agent can spend in one payment. */
      per_transaction: string;
      /** Payments above this amount need your approval. */
      hitl_threshold: string;
    };
  };
  /** When it was last changed. */
  updated_at: string;
}

/** Fields of a spend policy. In a change, omitted fields keep their value; in a new policy, they deny. */
export interface SpendPolicyFields {
  /** The most USDG that the agent can spend per calendar day of `time_zone`. */
  daily_limit_usdg?: number;
  /** The most USDG that the agent can spend in one payment. */
  per_transaction_limit_usdg?: number;
  /** Who the agent can pay: handles, addresses, `*.domain` for every handle of a domain, or `*` for anyone. */
  allowed_recipients?: string[];
  /** The assets that the agent can spend. */
  assets?: ("USDG" | "ETH")[];
  /** When the agent can pay, as `HH:MM-HH:MM` in `time_zone`. The end is excluded; `00:00-24:00` is all day. */
  active_hours?: string;
  /** Payments above this amount of USDG need your approval. */
  hitl_threshold_usdg?: number;
  /** IANA time zone of `active_hours` and of the day of the daily limit. */
  time_zone?: string;
  /** Limits for assets other than USDG, as decimal strings. */
  limits?: {
    /** Limits for ETH. */
    ETH?: {
      /** The most that the agent can spend per calendar day of `time_zone`. */
      daily: string;
      /** The most that the agent can spend in one payment. */
      per_transaction: string;
      /** Payments above this amount need your approval. */
      hitl_threshold: string;
    };
  };
}

/** The test event to send. You can omit the body. */
export interface TestWebhook {
  /** The type of event to send. If omitted, `transfer.confirmed`. */
  event?: "transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.policy.updated" | "account.spender.expiring" | "account.spender.expired";
}

/** A payment, without its amount: only the payer and the recipient can decrypt that. */
export interface Transfer {
  /** Identifies the transfer. */
  transfer_id: string;
  /** `pending`: submitted to the chain. `confirmed`: final on chain. `failed`: did not settle, and no money moved. */
  status: "pending" | "confirmed" | "failed";
  /** Handle of the sender. */
  from: string;
  /** The recipient, as the sender wrote it. */
  to: string;
  /** Whether you sent or received it. */
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
  /** The encrypted copies; only with `include=encrypted`. */
  encrypted?: EncryptedTransfer;
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

/** Transfers, newest first. */
export interface TransferList {
  /** The transfers of this page. */
  transfers: Transfer[];
  /** Number of entries requested. */
  limit: number;
  /** Number of entries skipped. */
  offset: number;
  /** Whether more entries follow this page. */
  has_more: boolean;
}

/** Omitted fields keep their value. */
export interface UpdateWebhook {
  /** The https URL that receives events by POST. */
  url?: string;
  /** The event types you want to receive, at least one. */
  events?: ("transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.policy.updated" | "account.spender.expiring" | "account.spender.expired")[];
  /** Whether events are sent. Set it to `true` to enable a disabled webhook again. */
  enabled?: boolean;
}

/** A subscription to events, without its secret. */
export interface Webhook {
  /** Identifies the subscription. */
  webhook_id: string;
  /** The URL that receives events by POST. */
  url: string;
  /** The event types that are sent to it. */
  events: ("transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.policy.updated" | "account.spender.expiring" | "account.spender.expired")[];
  /** Whether events are sent. */
  enabled: boolean;
  /** Why it is disabled. `owner`: you disabled it. `failing`: no delivery succeeded for 5 days. `gone`: it returned nothing but 410 for 24 hours. */
  disabled_reason: "owner" | "failing" | "gone" | null;
  /** When it was disabled. */
  disabled_at: string | null;
  /** When it was created. */
  created_at: string;
}

/** All subscriptions. */
export interface WebhookList {
  /** Every webhook of the account. */
  webhooks: Webhook[];
}
