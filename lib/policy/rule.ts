import type { FurtherRules } from "@/lib/ledger/policy/policy-document";
import type { AmountLimits, PolicyAsset } from "@/lib/policy/amount-limits";
import type { CountName } from "@/lib/policy/counting";
import type { PolicyAct, PolicyPayment } from "@/lib/policy/decide";
import type { PolicyFields, SpendPolicy } from "@/lib/policy/spend-policy";

/** Limits on what an agent pays one recipient, in units of USDG. Null means no limit. */
export interface RecipientLimit {
  /** An entry as in `allowedRecipients`. A pattern limits each recipient it matches separately. */
  recipient: string;
  perTransaction: bigint | null;
  /** Per calendar month in the policy's time zone. */
  monthly: bigint | null;
}

/** The value of a rule in a {@link SpendPolicy}, and in the API, by the kind of control that sets it. */
export interface Kinds {
  /** USDG: in units, of which there are 10^6, and in the API as a number. */
  money: { value: bigint; api: number };
  /** USDG, or null for no limit. */
  "optional money": { value: bigint | null; api: number | null };
  /** A whole number, or null for any. */
  count: { value: number | null; api: number | null };
  recipients: { value: readonly string[]; api: string[] };
  assets: { value: readonly PolicyAsset[]; api: PolicyAsset[] };
  hours: { value: string; api: string };
  zone: { value: string; api: string };
  "asset limits": {
    value: { readonly ETH?: AmountLimits };
    api: { ETH?: { daily: string; per_transaction: string; hitl_threshold: string } };
  };
  "recipient limits": {
    value: readonly RecipientLimit[];
    api: { recipient: string; per_transaction_limit_usdg: number | null; monthly_limit_usdg: number | null }[];
  };
  switch: { value: boolean; api: boolean };
}
export type Kind = keyof Kinds;

/** Reports what is wrong with a value, or with a part of it at a path. What was read is then not used. */
export type Refuse = (message: string, ...path: (string | number)[]) => undefined;

/** The rules of a policy in its signed document, before their assets have addresses. */
export interface DocumentRules {
  /** Minutes since midnight. */
  hours: { start: number; end: number };
  zone: string;
  assets: Record<PolicyAsset, { allowed: boolean; perPayment: bigint; daily: bigint; threshold: bigint }>;
  recipients: readonly string[];
  further: FurtherRules;
  publicPayments: boolean;
  /** What no earlier format of the document has, by its name in the API: below 2^64. */
  named: Record<string, bigint>;
}

/**
 * One field of a policy: what a client that signs one needs. {@link RuleService} enforces it, {@link RuleWords} and {@link
 * RuleReference} explain it.
 */
export interface RuleDeclaration<Name extends string, Field extends string, K extends Kind> {
  /** Its name in a {@link SpendPolicy}, and in the table of policies. */
  name: Name;
  /** Its name in the API. */
  field: Field;
  /** Its value in a policy that does not set it: it denies, or, for an optional limit, there is none. */
  unset: Kinds[K]["value"];
  /** Reads a value from the API. */
  read: (value: unknown, refuse: Refuse) => Kinds[K]["value"] | undefined;
  /** Writes it to the signed document. */
  encode: (policy: SpendPolicy, document: DocumentRules) => void;
  /**
   * Reports whether a change of it could allow or not hold a payment that the policy before would have stopped. Never
   * false if it could.
   */
  loosens: (before: SpendPolicy, after: SpendPolicy) => boolean;
  /** Whether an agent has to keep more for it than what it spends in a day. Default: never. */
  isCounted?: (policy: SpendPolicy) => boolean;
}

/** What a check is about, in order of precedence: first what is asked of every payment, also of one by the owner. */
export const ACT_STAGES = ["asset", "recipient", "time"] as const;
/** What needs the amount and what was paid before. */
export const AMOUNT_STAGES = ["payment", "day", "period", "approval"] as const;

/** A check of a payment that needs no amount. */
export interface ActCheck {
  stage: (typeof ACT_STAGES)[number];
  /** Whether it is asked of this payment. Default: always. */
  applies?: (policy: SpendPolicy, act: PolicyAct) => boolean;
  passes: (policy: SpendPolicy, act: PolicyAct, at: Date) => boolean;
}

/** A check of a payment's amount. At the stage `approval`, a payment that doesn't pass waits for its approval. */
export interface AmountCheck {
  stage: (typeof AMOUNT_STAGES)[number];
  applies?: (policy: SpendPolicy, act: PolicyAct) => boolean;
  /** What it counts of earlier payments. Default: nothing. */
  counts?: CountName;
  passes: (policy: SpendPolicy, payment: PolicyPayment, counted: bigint) => boolean;
}

/** What enforces a rule. A client that signs a policy needs none of it. */
export interface RuleService<K extends Kind> {
  kind: K;
  /** Returns its value for the API. */
  write: (policy: SpendPolicy) => Kinds[K]["api"];
  /** Reads it from the signed document. */
  decode: (document: DocumentRules) => Kinds[K]["value"];
  /**
   * What of it the ledger can open or compare, and therefore enforces: the commitment of an asset's limits, or the tree
   * of recipients. `document`: only the hash of the document depends on it, so the service enforces it.
   */
  commitment: "limits" | "recipients" | "document";
  /**
   * Who enforces it on payments whose amounts the service can't see: the chain, or the service. `plain`: neither can, so
   * a policy with it needs a key that lets the service see amounts.
   */
  blind: "chain" | "service" | "plain";
  /** What it checks, by the reason that it gives. Empty if other rules decide by it. */
  checks: Readonly<Record<string, ActCheck | AmountCheck>>;
}

/** A rule in words for the owner. `Reason`: the names of its checks. */
export interface RuleWords<Reason extends PropertyKey> {
  label: string;
  /** A hint for who sets it. */
  hint?: string;
  /** The part of the form that it belongs to. */
  section: "limits" | "recipients" | "public" | "further" | "hours" | "assets";
  /** Returns its value in a few words. */
  brief: (policy: PolicyFields) => string;
  /** Returns what completes "At most …", such as `5 payments a day`. Null if it is not set. */
  atMost?: (policy: PolicyFields) => string | null;
  /** Returns a sentence of its own, without its point. Null if it is not set. */
  sentence?: (policy: PolicyFields) => string | null;
  /** Why it refuses a payment, in a few words. */
  reasons: Record<Reason, string>;
}

/** A rule for programs and the command line. */
export interface RuleReference<Reason extends PropertyKey> {
  /** Its description in the API. */
  description: string;
  examples?: unknown[];
  /** Its option of the command line, and the option's help. */
  option?: { flags: string; help: string };
  /** The message of the error with which it refuses a payment. */
  refusals: Record<Reason, string>;
}
