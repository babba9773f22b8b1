import { z } from "zod";
import { tool } from "./tool";

const Limits = z.object({ daily: z.string(), per_transaction: z.string(), hitl_threshold: z.string() });

export const getPolicyTool = tool({
  name: "get_policy",
  title: "Read the spend policy",
  description:
    "This agent's spend policy: limits per payment, per day and per month, recipients, assets, hours, and the amount above which " +
    "a person must approve (`hitl_threshold_usdg`). Only the owner can change it. It does not include how much is left " +
    "today: use dry_run to check a payment.",
  input: z.strictObject({}),
  output: z.object({
    policy_id: z.string(),
    daily_limit_usdg: z.number(),
    per_transaction_limit_usdg: z.number(),
    hitl_threshold_usdg: z.number(),
    allowed_recipients: z.array(z.string()),
    assets: z.array(z.string()),
    active_hours: z.string(),
    time_zone: z.string(),
    limits: z.record(z.string(), Limits),
    monthly_limit_usdg: z.number().nullish(),
    payments_per_day: z.number().nullish(),
    public_payments: z.boolean().optional(),
    recipient_limits: z
      .array(
        z.object({
          recipient: z.string(),
          per_transaction_limit_usdg: z.number().nullable(),
          monthly_limit_usdg: z.number().nullable(),
        }),
      )
      .optional(),
    updated_at: z.string(),
  }),
  annotations: { readOnlyHint: true, openWorldHint: true },
  run: (client) => client.policies.get(),
  say: (policy) =>
    `Up to ${policy.per_transaction_limit_usdg} USDG a payment and ${policy.daily_limit_usdg} a day; over ${policy.hitl_threshold_usdg} the owner approves.`,
});
