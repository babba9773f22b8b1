import { z } from "zod";
import { SpendPolicyFields } from "@/lib/policy/resource";
import { tool } from "./tool";

export const getPolicyTool = tool({
  name: "get_policy",
  title: "Read the spend policy",
  description:
    "This agent's spend policy: limits per payment, per day and per month, recipients, assets, hours, and the amount above which " +
    "a person must approve (`hitl_threshold_usdg`). Only the owner can change it. It does not include how much is left " +
    "today: use dry_run to check a payment.",
  input: z.strictObject({}),
  output: SpendPolicyFields.partial().extend({ policy_id: z.string(), updated_at: z.string() }),
  annotations: { readOnlyHint: true, openWorldHint: true },
  run: (agent) => agent.policy(),
  say: (policy) =>
    `Up to ${policy.per_transaction_limit_usdg} USDG a payment and ${policy.daily_limit_usdg} a day; over ${policy.hitl_threshold_usdg} the owner approves.`,
});
