import { z } from "zod";
import { POLICY_ASSETS } from "@/lib/policy/amount-limits";
import type { Kind } from "@/lib/policy/rule";
import { REFERENCE, RULES, SERVICE } from "@/lib/policy/rules";
import type { SpendPolicyResource as Fields } from "@/lib/policy/spend-policy";

/** Descriptions of the limits of assets other than USDG, shared by requests and responses. */
export const LIMITS_MEANING = {
  ETH: { description: "Limits for ETH." },
  daily: { description: "The most that the agent can spend per calendar day of `time_zone`.", examples: ["0.5"] },
  per_transaction: { description: "The most that the agent can spend in one payment.", examples: ["0.1"] },
  hitl_threshold: { description: "Payments above this amount need your approval.", examples: ["0.05"] },
};

/** Descriptions of the fields of a recipient's limits, shared by requests and responses. */
export const RECIPIENT_LIMIT_MEANING = {
  recipient: {
    description:
      "A handle, an address, `*.domain` or `*`, as in `allowed_recipients`. A wildcard limits each recipient by itself.",
    examples: ["@supplier"],
  },
  per_transaction_limit_usdg: { description: "The most USDG in one payment to it; `null`: no limit of its own." },
  monthly_limit_usdg: {
    description: "The most USDG per calendar month of `time_zone` to it; `null`: no limit of its own.",
  },
};

/** The value of each kind of rule in a response. */
const VALUES: Record<Kind, z.ZodType> = {
  money: z.number(),
  "optional money": z.number().nullable(),
  count: z.number().nullable(),
  recipients: z.array(z.string()),
  assets: z.array(z.enum(POLICY_ASSETS)),
  hours: z.string(),
  zone: z.string(),
  "asset limits": z.object({
    ETH: z
      .object({
        daily: z.string().meta(LIMITS_MEANING.daily),
        per_transaction: z.string().meta(LIMITS_MEANING.per_transaction),
        hitl_threshold: z.string().meta(LIMITS_MEANING.hitl_threshold),
      })
      .optional()
      .meta(LIMITS_MEANING.ETH),
  }),
  "recipient limits": z.array(
    z.object({
      recipient: z.string().meta(RECIPIENT_LIMIT_MEANING.recipient),
      per_transaction_limit_usdg: z.number().nullable().meta(RECIPIENT_LIMIT_MEANING.per_transaction_limit_usdg),
      monthly_limit_usdg: z.number().nullable().meta(RECIPIENT_LIMIT_MEANING.monthly_limit_usdg),
    }),
  ),
  switch: z.boolean(),
};

/** Returns a field's description, which is the same for requests and responses. */
export function meaningOf(field: keyof Fields): { description: string; examples?: unknown[] } {
  const { description, examples } = REFERENCE[field];
  return { description, ...(examples && { examples }) };
}

/** The policy's fields in a response, under their names in the API. */
export const SpendPolicyFields = z.object(
  Object.fromEntries(
    RULES.map(({ field }) => [field, VALUES[SERVICE[field].kind].meta(meaningOf(field))]),
  ) as unknown as {
    [F in keyof Fields]: z.ZodType<Fields[F]>;
  },
);
