import { z } from "zod";
import { TransferShape } from "./shapes";
import { tool } from "./tool";

export const listTransfersTool = tool({
  name: "list_transfers",
  title: "List transfers",
  description:
    "This agent's payments, sent and received, newest first, with their status. Without amounts and memos: those are encrypted " +
    "and only the owner's wallet opens them. `has_more` says that there is a next page (`offset`).",
  input: z.strictObject({
    limit: z.number().int().min(1).max(100).optional().describe("Entries per page; 20 when left out."),
    offset: z.number().int().min(0).max(10_000).optional().describe("Entries to skip."),
    status: z.enum(["pending", "confirmed", "failed"]).optional().describe("Only transfers with this status."),
  }),
  output: z.object({
    transfers: z.array(TransferShape),
    limit: z.number(),
    offset: z.number(),
    has_more: z.boolean(),
  }),
  annotations: { readOnlyHint: true, openWorldHint: true },
  run: (agent, query) => agent.transfers(query),
  say: ({ transfers, has_more }) =>
    `${transfers.length === 1 ? "1 transfer" : `${transfers.length} transfers`}${has_more ? ", and there are more" : ""}. Amounts are not shown: only the owner's wallet opens them.`,
});
