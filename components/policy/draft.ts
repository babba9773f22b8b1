import type { PolicyAsset } from "@/lib/policy/amount-limits";
import { SERVICE, WORDS } from "@/lib/policy/rules";
import { SpendPolicyInput } from "@/lib/policy/schema";
import {
  changedFields,
  DENY_ALL,
  type PolicyFields,
  type SpendPolicy,
  toSpendPolicyResource,
} from "@/lib/policy/spend-policy";
import type { SpendPolicyFields } from "@/sdk/api/resources/agents";

const ALL_DAY = "00:00-24:00";

/** The limits of one asset as typed. */
export interface LimitTexts {
  daily: string;
  per_transaction: string;
  hitl_threshold: string;
}

/** A recipient's limits as typed. An empty text means no limit. */
export interface RecipientLimitTexts {
  recipient: string;
  per_transaction: string;
  monthly: string;
}

/** Fields with a limit that only some policies have, in the order of the form. */
export const OPTIONAL_FIELDS = (Object.keys(WORDS) as (keyof PolicyFields)[]).filter(
  (field): field is OptionalField => SERVICE[field].kind === "optional money" || SERVICE[field].kind === "count",
);
type OptionalField = {
  [F in keyof PolicyFields]: (typeof SERVICE)[F]["kind"] extends "optional money" | "count" ? F : never;
}[keyof PolicyFields];

/** A policy being edited: texts as typed, valid or not. */
export interface PolicyDraft {
  usdg: LimitTexts;
  /** Null if ETH has no limits, so that none of it can be spent. */
  eth: LimitTexts | null;
  allowed_recipients: string[];
  assets: PolicyAsset[];
  allDay: boolean;
  /** `HH:MM`. Kept while the policy is active all day. */
  start: string;
  end: string;
  /** How the stored policy writes midnight as the end. Both mean the same. */
  midnight: "00:00" | "24:00";
  time_zone: string;
  /** Limits that only some policies have. Empty for none. */
  optional: Record<OptionalField, string>;
  recipient_limits: RecipientLimitTexts[];
  public_payments: boolean;
}

/** The initial policy of a new agent: small limits and no recipients. */
export const NEW_POLICY: PolicyFields = {
  ...toSpendPolicyResource(DENY_ALL),
  daily_limit_usdg: 100,
  per_transaction_limit_usdg: 25,
  hitl_threshold_usdg: 20,
};

/** Returns the draft that shows a policy unchanged. */
export function draftOf(policy: PolicyFields): PolicyDraft {
  const allDay = policy.active_hours === ALL_DAY;
  const [start = "", end = ""] = allDay ? ["09:00", "18:00"] : policy.active_hours.split("-");
  return {
    usdg: {
      daily: String(policy.daily_limit_usdg),
      per_transaction: String(policy.per_transaction_limit_usdg),
      hitl_threshold: String(policy.hitl_threshold_usdg),
    },
    eth: policy.limits.ETH ?? null,
    allowed_recipients: [...policy.allowed_recipients],
    assets: [...policy.assets],
    allDay,
    start,
    // A time input has no 24:00.
    end: end === "24:00" ? "00:00" : end,
    midnight: end === "00:00" ? "00:00" : "24:00",
    time_zone: policy.time_zone,
    optional: optionalFrom((field) => textOf(policy[field])),
    recipient_limits: policy.recipient_limits.map((limit) => ({
      recipient: limit.recipient,
      per_transaction: textOf(limit.per_transaction_limit_usdg),
      monthly: textOf(limit.monthly_limit_usdg),
    })),
    public_payments: policy.public_payments,
  };
}

/**
 * Parses a number for the API. A text that is no number, or has more decimal places than allowed, stays a text, which
 * the schema refuses.
 */
function numberOf(text: string): number {
  const isNumber = /^(0|[1-9][0-9]{0,9})(\.[0-9]{1,6})?$/.test(text);
  return (isNumber ? Number(text) : text) as number;
}

/** Returns an object with a value for each optional limit. */
function optionalFrom<T>(valueFor: (field: OptionalField) => T): Record<OptionalField, T> {
  return Object.fromEntries(OPTIONAL_FIELDS.map((field) => [field, valueFor(field)])) as Record<OptionalField, T>;
}

const textOf = (bound: number | null) => (bound === null ? "" : String(bound));
const boundOf = (text: string) => (text === "" ? null : numberOf(text));

/** Returns the API body of a draft. The service may refuse it. */
export function fieldsOfDraft(draft: PolicyDraft): Required<SpendPolicyFields> {
  const { usdg, eth, allDay, start, end, midnight } = draft;
  return {
    daily_limit_usdg: numberOf(usdg.daily),
    per_transaction_limit_usdg: numberOf(usdg.per_transaction),
    allowed_recipients: draft.allowed_recipients,
    assets: draft.assets,
    active_hours: allDay ? ALL_DAY : `${start}-${end === "00:00" ? midnight : end}`,
    hitl_threshold_usdg: numberOf(usdg.hitl_threshold),
    time_zone: draft.time_zone,
    limits: eth ? { ETH: eth } : {},
    ...optionalFrom((field) => boundOf(draft.optional[field])),
    recipient_limits: draft.recipient_limits.map(({ recipient, per_transaction, monthly }) => ({
      recipient: recipient.trim(),
      per_transaction_limit_usdg: boundOf(per_transaction),
      monthly_limit_usdg: boundOf(monthly),
    })),
    public_payments: draft.public_payments,
  };
}

/** What is wrong with a draft, by the field's path in the API's body (`limits.ETH.daily`, `allowed_recipients.2`). */
export type DraftProblems = Readonly<Record<string, string>>;

/** The policy of a draft, or why the service would refuse it. */
type CheckedDraft =
  | { policy: SpendPolicy; fields: PolicyFields; problems: null }
  | { policy: null; fields: null; problems: DraftProblems };

const AMOUNT = (places: number) =>
  `Enter an amount from 0 to 1,000,000,000 with up to ${places} decimal places, such as 25 or 0.5.`;

/** The service's rules in the form's words. Others use the service's own message. */
const FAULTS: readonly [RegExp, string][] = [
  [/_usdg$/, AMOUNT(6)],
  [/^limits\.ETH\./, AMOUNT(9)],
  [/^payments_per_/, "Enter a whole number of payments, or leave it empty for any number."],
  [/^recipient_limits\.\d+$/, "Enter a limit per payment, a limit per month, or both."],
  [/^active_hours$/, "Enter two different times. An end before the start runs overnight."],
  [/^time_zone$/, "Choose a time zone from the list, such as Europe/Zurich or UTC."],
];

/** Validates a draft with the service's own schema. */
export function checkDraft(draft: PolicyDraft): CheckedDraft {
  const parsed = SpendPolicyInput.safeParse(fieldsOfDraft(draft));
  if (parsed.success) return { policy: parsed.data, fields: toSpendPolicyResource(parsed.data), problems: null };
  const problems: Record<string, string> = {};
  for (const { path, message } of parsed.error.issues) {
    const field = path.join(".");
    problems[field] ??= FAULTS.find(([pattern]) => pattern.test(field))?.[1] ?? message;
  }
  return { policy: null, fields: null, problems };
}

/** Returns the fields in which two policies differ, in the order in which people read them. */
export function changesBetween(before: PolicyFields, after: PolicyFields): (keyof PolicyFields)[] {
  const changed = changedFields(before, after);
  return (Object.keys(WORDS) as (keyof PolicyFields)[]).filter((field) => changed.includes(field));
}

/** Returns whether the draft differs from the policy it started with. */
export function isChanged(draft: PolicyDraft, policy: PolicyFields): boolean {
  return JSON.stringify(fieldsOfDraft(draft)) !== JSON.stringify(fieldsOfDraft(draftOf(policy)));
}
