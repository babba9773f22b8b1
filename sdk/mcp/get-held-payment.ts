import { z } from "zod";
import { HeldShape } from "./shapes";
import { tool } from "./tool";

export const getHeldPayment = tool({
  name: "get_held_payment",
  title: "Get a payment that needs approval",
  description:
    "The state of a payment that send_payment returned as `held` (list_held_payments has those that wait): `pending_approval`, `approved` (then with its transfer), " +
    "`rejected` or `expired`. A person decides, which can take hours: check again later, and do not send it again.",
  input: z.strictObject({
    transaction_id: z
      .string()
      .min(1)
      .max(100)
      .describe("The id that send_payment or list_held_payments returned, such as txn_01…."),
  }),
  output: HeldShape.extend({
    decided_at: z.string().nullable(),
    transfer_id: z.string().optional(),
    tx_hash: z.string().optional(),
  }),
  annotations: { readOnlyHint: true, openWorldHint: true },
  run: (agent, { transaction_id }) => agent.heldPayment(transaction_id),
  say: ({ transaction_id, status }) => `${transaction_id} is ${status.replace("_", " ")}.`,
});
