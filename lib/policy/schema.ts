import { z } from "zod";
import type { Decimals } from "@/lib/base/money";
import { parseActiveHours } from "@/lib/policy/active-hours";
import { normaliseTimeZone } from "@/lib/policy/local-time";
import { normaliseRecipient } from "@/lib/policy/recipients";
import { LIMITS_MEANING, RECIPIENT_LIMIT_MEANING, SpendPolicyResource } from "@/lib/policy/resource";
import { applyPatch, DENY_ALL, POLICY_ASSETS, type RecipientLimit, type SpendPolicy } from "@/lib/policy/spend-policy";

const MAX_AMOUNT = 1_000_000_000n;
const MAX_RECIPIENTS = 1000;
const MAX_RECIPIENT_LIMITS = 100;
const MAX_PAYMENTS_PER_DAY = 1_000_000;

const NUMBER_RULE = "Send a number of USDG from 0 to 1,000,000,000 with up to 6 decimal places, without quotes.";
const TEXT_RULE = 'Send a decimal string from "0" to "1000000000" with up to 9 decimal places.';
const ASSETS_RULE = 'List the assets the agent may spend: "USDG", "ETH".';
const HOURS_RULE =
  'Send a range as "09:00-18:00": two digits each, start and end different, 24:00 only as the end. All day is "00:00-24:00".';
const ZONE_RULE = 'Name a time zone of the IANA database, as "Europe/Zurich" or "UTC".';
const RECIPIENT_RULE =
  'Name an @handle, a 0x address (with a right checksum when in mixed case), "*" for anyone, or "*." and a domain of at least two labels.';
const PAYMENTS_RULE = "Send a whole number of payments from 0 to 1,000,000, or null for any number.";
const RECIPIENT_LIMITS_RULE = `Send a list of at most ${MAX_RECIPIENT_LIMITS} limits, each of another recipient.`;
const RECIPIENT_LIMIT_RULE = "Send recipient, and per_transaction_limit_usdg or monthly_limit_usdg or both.";
const PUBLIC_RULE = "public_payments is true or false.";
const RECIPIENTS_RULE = `Send a list of at most ${MAX_RECIPIENTS} recipients.`;

/**
 * Parses a decimal text from 0 to a billion into units; returns null for anything else. Limits may be zero, amounts may
 * not.
 */
export function parseLimit(text: string, decimals: Decimals): bigint | null {
  const match = new RegExp(`^(0|[1-9][0-9]{0,9})(?:\\.([0-9]{1,${decimals}}))?$`).exec(text);
  if (!match) return null;
  const units = BigInt((match[1] ?? "") + (match[2] ?? "").padEnd(decimals, "0"));
  return units <= MAX_AMOUNT * 10n ** BigInt(decimals) ? units : null;
}

/**
 * Returns a schema that converts values with `read`. Values for which `read` returns null are refused with the message
 * `rule`.
 */
function readAs<I, O>(from: z.ZodType<I, I>, read: (value: I) => O | null, rule: string) {
  return from.transform((value, context): O => {
    const result = read(value);
    if (result !== null) return result;
    context.addIssue({ code: "custom", message: rule, input: value });
    return z.NEVER;
  });
}

/** Reads a JSON number by its shortest decimal text, so that no precision is lost. Exponents are refused. */
const usdg = readAs(z.number(NUMBER_RULE), (value) => parseLimit(String(value), 6), NUMBER_RULE).meta({
  wire: { type: "number", minimum: 0, maximum: Number(MAX_AMOUNT) },
});
const eth = readAs(z.string(TEXT_RULE), (text) => parseLimit(text, 9), TEXT_RULE);

const limits = z.strictObject(
  {
    ETH: z
      .strictObject(
        {
          daily: eth.meta(LIMITS_MEANING.daily),
          per_transaction: eth.meta(LIMITS_MEANING.per_transaction),
          hitl_threshold: eth.meta(LIMITS_MEANING.hitl_threshold),
        },
        "Send daily, per_transaction and hitl_threshold of the asset.",
      )
      .transform(({ daily, per_transaction, hitl_threshold }) => {
        return { daily, perTransaction: per_transaction, hitlThreshold: hitl_threshold };
      })
      .optional()
      .meta(LIMITS_MEANING.ETH),
  },
  'Send an object with the limits of assets other than USDG by symbol: {"ETH": {...}}.',
);

const recipient = readAs(z.string(RECIPIENT_RULE), normaliseRecipient, RECIPIENT_RULE);

/** Checks the number of entries first, so that a million bad entries give one error. */
const recipients = z
  .array(z.unknown(), RECIPIENTS_RULE)
  .max(MAX_RECIPIENTS, RECIPIENTS_RULE)
  .pipe(z.array(recipient))
  .transform((entries) => [...new Set(entries)])
  .meta({ wire: { type: "array", items: { type: "string" }, maxItems: MAX_RECIPIENTS } });

const usdgBound = usdg.nullable().optional();

const recipientLimit = z
  .strictObject(
    {
      recipient: recipient.meta(RECIPIENT_LIMIT_MEANING.recipient),
      per_transaction_limit_usdg: usdgBound.meta(RECIPIENT_LIMIT_MEANING.per_transaction_limit_usdg),
      monthly_limit_usdg: usdgBound.meta(RECIPIENT_LIMIT_MEANING.monthly_limit_usdg),
    },
    RECIPIENT_LIMIT_RULE,
  )
  .transform(
    ({ recipient, per_transaction_limit_usdg: single, monthly_limit_usdg: monthly }, context): RecipientLimit => {
      const limit = { recipient, perTransaction: single ?? null, monthly: monthly ?? null };
      if (limit.perTransaction !== null || limit.monthly !== null) return limit;
      context.addIssue({ code: "custom", message: RECIPIENT_LIMIT_RULE, input: undefined });
      return z.NEVER;
    },
  );

const recipientLimits = z
  .array(recipientLimit, RECIPIENT_LIMITS_RULE)
  .max(MAX_RECIPIENT_LIMITS, RECIPIENT_LIMITS_RULE)
  .refine((limits) => new Set(limits.map((limit) => limit.recipient)).size === limits.length, RECIPIENT_LIMITS_RULE);

/** Returns a field's description, which is the same for requests and responses. */
function meaning(field: keyof SpendPolicyResource): { description?: string; examples?: unknown[] } {
  const { description, examples } = SpendPolicyResource.shape[field].meta() ?? {};
  return { ...(description ? { description } : {}), ...(Array.isArray(examples) ? { examples } : {}) };
}

/** The fields of a policy in the API, each optional. */
export const PolicyFieldsInput = z.strictObject(
  {
    daily_limit_usdg: usdg.optional().meta(meaning("daily_limit_usdg")),
    per_transaction_limit_usdg: usdg.optional().meta(meaning("per_transaction_limit_usdg")),
    allowed_recipients: recipients.optional().meta(meaning("allowed_recipients")),
    assets: z
      .array(z.enum(POLICY_ASSETS, ASSETS_RULE), ASSETS_RULE)
      .max(100, ASSETS_RULE)
      .transform((symbols) => [...new Set(symbols)])
      .optional()
      .meta(meaning("assets")),
    active_hours: z
      .string(HOURS_RULE)
      .refine((text) => parseActiveHours(text) !== null, HOURS_RULE)
      .optional()
      .meta(meaning("active_hours")),
    hitl_threshold_usdg: usdg.optional().meta(meaning("hitl_threshold_usdg")),
    time_zone: readAs(z.string(ZONE_RULE), normaliseTimeZone, ZONE_RULE).optional().meta(meaning("time_zone")),
    limits: limits.optional().meta(meaning("limits")),
    monthly_limit_usdg: usdgBound.meta(meaning("monthly_limit_usdg")),
    payments_per_day: z
      .int(PAYMENTS_RULE)
      .min(0, PAYMENTS_RULE)
      .max(MAX_PAYMENTS_PER_DAY, PAYMENTS_RULE)
      .nullable()
      .optional()
      .meta(meaning("payments_per_day")),
    recipient_limits: recipientLimits.optional().meta(meaning("recipient_limits")),
    public_payments: z.boolean(PUBLIC_RULE).optional().meta(meaning("public_payments")),
  },
  "Send the policy as one JSON object.",
);

/** Returns the given fields under their names in {@link SpendPolicy}. */
export function patchOf(fields: z.output<typeof PolicyFieldsInput>): Partial<SpendPolicy> {
  const patch = {
    dailyLimit: fields.daily_limit_usdg,
    perTransactionLimit: fields.per_transaction_limit_usdg,
    allowedRecipients: fields.allowed_recipients,
    assets: fields.assets,
    activeHours: fields.active_hours,
    hitlThreshold: fields.hitl_threshold_usdg,
    timeZone: fields.time_zone,
    limits: fields.limits,
    monthlyLimit: fields.monthly_limit_usdg,
    paymentsPerDay: fields.payments_per_day,
    recipientLimits: fields.recipient_limits,
    publicPayments: fields.public_payments,
  };
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}

/**
 * The body of `PATCH /v1/agents/{account_id}/spend-policy`: any fields of a policy, parsed into the exact values of a
 * {@link SpendPolicy}. `limits` replaces the whole object. Pass the result to `applyPatch`.
 */
export const SpendPolicyPatch = PolicyFieldsInput.transform(patchOf).meta({
  id: "SpendPolicyFields",
  description: "Fields of a spend policy. In a change, omitted fields keep their value; in a new policy, they deny.",
});

/** `spend_policy` of a registration: like the patch, but fields left out deny. */
export const SpendPolicyInput = SpendPolicyPatch.transform((patch) => applyPatch(DENY_ALL, patch));

/**
 * Parses the stored `limits`, which have the same form as in the API.
 *
 * @throws ZodError for a value that was never stored
 */
export function limitsFromStored(stored: unknown): SpendPolicy["limits"] {
  return limits.parse(stored);
}

/**
 * Parses the stored limits of recipients.
 *
 * @throws ZodError for a value that was never stored
 */
export function recipientLimitsFromStored(stored: unknown): SpendPolicy["recipientLimits"] {
  return recipientLimits.parse(stored);
}

const NAME_RULE =
  "Name the agent with 1 to 32 of the lower-case letters a-z, digits, - and _, without its owner's handle.";

/** `name` of an agent: the part of its handle after the slash. */
export const AgentName = z
  .string(NAME_RULE)
  .regex(/^[a-z0-9_-]{1,32}$/, NAME_RULE)
  .meta({
    description: "The part of the agent's handle after the slash: 1 to 32 lower-case letters, digits, `-` and `_`.",
    examples: ["procurement"],
  });
