import { z } from "zod";
import { AmountShape, AssetText, PublicFlag, RecipientText } from "./shapes";
import { tool } from "./tool";

export const dryRunTool = tool({
  name: "dry_run",
  title: "Ask the policy",
  description:
    "Says what this agent's spend policy decides of a payment now, rule by rule: `allowed`, `held` (a person would have to " +
    "approve) or `denied` with `reason`. Pays, holds and records nothing, and does not look at funds: see get_balance.",
  input: z.strictObject({ to: RecipientText, amount: AmountShape, asset: AssetText, public: PublicFlag }),
  output: z.object({
    dry_run: z.literal(true),
    outcome: z.enum(["allowed", "held", "denied"]),
    reason: z.string().optional(),
    rules: z.array(z.object({ rule: z.string(), outcome: z.string() })),
  }),
  annotations: { readOnlyHint: true, openWorldHint: true },
  needsPay: true,
  run: (agent, payment) => agent.dryRun(payment),
  say: ({ outcome, reason }) => `The policy would decide: ${outcome}${reason ? ` (${reason})` : ""}. Nothing was paid.`,
});
