/*
 * Requests and responses of the API as types. Generated from docs/openapi.json, which comes from the schemas that the
 * routes parse and serialise with. Do not edit: npm run openapi
 */

/** An agent account. */
export interface Agent {
  /** Identifies the agent's account. */
  account_id: string;
  /** The agent's handle in its owner's namespace, `@owner/agent`. */
  handle: string;
  /** Address of the agent's wallet, with its EIP-55 checksum. */
  public_key: `0x${string}`;
  /** A `paused` agent can't pay until you resume it. An `ended` one has no key that signs for it. */
  status: "active" | "paused" | "ended";
  /** Identifies its spend policy. */
  spend_policy_id: string;
}

/** Agents of the account. */
export interface AgentList {
  /** The agents of this page. */
  agents: Agent[];
  /** Whether more entries follow this page. */
  has_more: boolean;
}

/** An agent whose wallet was created on your device. */
export interface AgentRegistration {
  /** Address of the agent's wallet. */
  address: string;
  /** The wallet's private key, encrypted under the agent's secret. */
  wallet: `0x${string}`;
  /** Unix time in seconds after which the ledger refuses the agent, as a decimal string. */
  deadline: string;
  /** The ledger's `EnrollAgent` (nonce 0), signed by your wallet or payment key. */
  owner_signature: `0x${string}`;
  /** The ledger's `EnrollAgent` (nonce 0), signed by the agent's wallet. */
  agent_signature: `0x${string}`;
  /** Version of the account secret from which the agent's secret is derived. */
  secret_version: number;
}

/** Fields of a spend policy to change. Omitted fields keep their value. */
export interface ChangeSpendPolicy {
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
  /**
   * The most USDG that the agent can spend per calendar month of `time_zone`, counted since it was set; `null`: no
   * monthly limit.
   */
  monthly_limit_usdg?: number | null;
  /**
   * The most payments that the agent can make in an hour of the clock in `time_zone`, such as from 14:00 to 15:00,
   * counted for each asset; `null`: any number.
   */
  payments_per_hour?: number | null;
  /**
   * The most payments that the agent can make per calendar day of `time_zone`, counted for each asset; `null`: any
   * number.
   */
  payments_per_day?: number | null;
  /**
   * Limits for single recipients, such as sellers over HTTP 402, in USDG. Each entry that matches a recipient applies.
   */
  recipient_limits?: {
    /**
     * A handle, an address, `*.domain` or `*`, as in `allowed_recipients`. A wildcard limits each recipient by itself.
     */
    recipient: string;
    /** The most USDG in one payment to it; `null`: no limit of its own. */
    per_transaction_limit_usdg?: number | null;
    /** The most USDG per calendar month of `time_zone` to it; `null`: no limit of its own. */
    monthly_limit_usdg?: number | null;
  }[];
  /**
   * Whether the agent can pay sellers over HTTP 402 that take public payments only (scheme `exact`). Anyone can see
   * such a payment. While this is on, the service checks recipients and the chain enforces only the amounts.
   */
  public_payments?: boolean;
  /** The whole changed policy, signed on your device. If omitted, the API key signs it. A session must send it. */
  signed?: SignedPolicy;
}

/** An agent to create. Halcyon creates its wallet, unless you send it. */
export interface CreateAgent {
  /** The part of the agent's handle after the slash: 1 to 32 lower-case letters, digits, `-` and `_`. */
  name: string;
  /** The agent's first policy. If omitted, the agent can't pay anyone. */
  spend_policy?: SpendPolicyFields;
  /** The agent's wallet, created on your device. If omitted, the API key creates it. A session must send it. */
  registration?: AgentRegistration;
  /** With `registration`, the agent's first policy, signed over version 0. */
  signed?: SignedPolicy;
}

/** What a policy decides for payments made one after the other. */
export interface DecisionList {
  /** One decision per payment, in the order you sent the payments. */
  decisions: PolicyDecision[];
}

/** You can omit the body. */
export interface PauseAgent {
  /**
   * The paused policy, signed on your device. If omitted, the API key signs it; without a key, only the service
   * enforces the pause.
   */
  signed?: SignedPolicy;
}

/** What a spend policy decides for a payment, rule by rule. */
export interface PolicyDecision {
  /**
   * `allowed`: the payment would be sent. `held`: it would await the owner's approval. `denied`: it would be refused.
   */
  outcome: "allowed" | "held" | "denied";
  /** The first rule that fails. Present when `outcome` is `denied`. */
  reason?: "agent_paused" | "asset_not_allowed" | "recipient_not_allowed" | "public_payments_not_allowed" | "outside_active_hours" | "per_transaction_limit" | "daily_limit" | "monthly_limit" | "payments_per_hour" | "payments_per_day" | "recipient_transaction_limit" | "recipient_monthly_limit" | "too_many_held";
  /** Every rule that was checked, in order of precedence. */
  rules: {
    /** The rule that was checked. */
    rule: "agent_paused" | "asset_not_allowed" | "recipient_not_allowed" | "public_payments_not_allowed" | "outside_active_hours" | "per_transaction_limit" | "daily_limit" | "monthly_limit" | "payments_per_hour" | "payments_per_day" | "recipient_transaction_limit" | "recipient_monthly_limit" | "too_many_held" | "approval_threshold";
    /** `pass`: the payment meets the rule. `fail`: it does not, and is refused. `hold`: it needs your approval. */
    outcome: "pass" | "fail" | "hold";
  }[];
}

/** You can omit the body: the API key then signs. */
export interface ResumeAgent {
  /** The resumed policy, signed by your wallet. If omitted, the API key signs it. A session must send it. */
  signed?: SignedPolicy;
}

/** The ledger's `SetPolicy`, signed. */
export interface SetPolicyDocument {
  /** The kind of document. */
  kind: "set_policy";
  /** Address of the agent, in lower case. */
  account: `0x${string}`;
  /** Whether a policy limits the account. Always true for an agent. */
  limited: boolean;
  /** Root of the tree of recipients that the policy allows. */
  recipients_root: `0x${string}`;
  /** Hash of the whole policy, with its salt. */
  document_hash: `0x${string}`;
  /** Addresses of the contracts of the policy's assets, in order. */
  assets: `0x${string}`[];
  /** Commitments to the limits, one per asset. */
  commitments: `0x${string}`[];
  /** Version of the policy that this one replaces, as a decimal string. */
  policy_version: string;
  /** Unix time in seconds after which the ledger refuses the document, as a decimal string. */
  deadline: string;
  /** EIP-712 signature: 65 bytes of a key, or what a contract wallet takes (ERC-1271). */
  signature: `0x${string}`;
}

/** A policy that your wallet has signed. The SDK creates it. */
export interface SignedPolicy {
  document: SetPolicyDocument;
  /** The salt that hides the policy from readers of the chain. */
  salt: `0x${string}`;
  /** The addresses that the recipients stand for; empty if anyone may be paid. */
  resolved: `0x${string}`[];
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
    /**
     * `true`: to a seller over HTTP 402 that takes public payments only. The policy then also needs `public_payments`.
     */
    exact?: boolean;
    /** When the payment would take place. If omitted, now. ISO 8601 with a time zone. */
    at?: string;
  }[];
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
  /**
   * The most USDG that the agent can spend per calendar month of `time_zone`, counted since it was set; `null`: no
   * monthly limit.
   */
  monthly_limit_usdg?: number | null;
  /**
   * The most payments that the agent can make in an hour of the clock in `time_zone`, such as from 14:00 to 15:00,
   * counted for each asset; `null`: any number.
   */
  payments_per_hour?: number | null;
  /**
   * The most payments that the agent can make per calendar day of `time_zone`, counted for each asset; `null`: any
   * number.
   */
  payments_per_day?: number | null;
  /**
   * Limits for single recipients, such as sellers over HTTP 402, in USDG. Each entry that matches a recipient applies.
   */
  recipient_limits?: {
    /**
     * A handle, an address, `*.domain` or `*`, as in `allowed_recipients`. A wildcard limits each recipient by itself.
     */
    recipient: string;
    /** The most USDG in one payment to it; `null`: no limit of its own. */
    per_transaction_limit_usdg?: number | null;
    /** The most USDG per calendar month of `time_zone` to it; `null`: no limit of its own. */
    monthly_limit_usdg?: number | null;
  }[];
  /**
   * Whether the agent can pay sellers over HTTP 402 that take public payments only (scheme `exact`). Anyone can see
   * such a payment. While this is on, the service checks recipients and the chain enforces only the amounts.
   */
  public_payments?: boolean;
}
