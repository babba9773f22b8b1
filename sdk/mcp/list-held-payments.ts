import { z } from "zod";
import { HeldShape } from "./shapes";
import { tool } from "./tool";

export const listHeldPayments = tool({
  name: "list_held_payments",
  title: "List payments awaiting approval",
  description:
    "This agent's payments that await the owner's approval, oldest first, without amounts and memos: those are encrypted for the " +
    "owner. Look here before you send a payment again that was `held`. A payment that was decided or expired is not listed: see " +
    "get_held_payment. `has_more` says that there is a next page (`offset`).",
  input: z.strictObject({
    limit: z.number().int().min(1).max(100).optional().describe("Entries per page; 20 when left out."),
    offset: z.number().int().min(0).max(10_000).optional().describe("Entries to skip."),
  }),
  output: z.object({
    pending: z.array(HeldShape),
    limit: z.number(),
    offset: z.number(),
    has_more: z.boolean(),
  }),
  annotations: { readOnlyHint: true, openWorldHint: true },
  run: (agent, page) => agent.heldPayments(page),
  say: ({ pending, has_more }) =>
    `${pending.length} ${pending.length === 1 ? "payment awaits" : "payments await"} the owner's approval` +
    `${has_more ? ", and there are more" : ""}.`,
});
