import { z } from "zod";
import { AmountShape, AssetText, HeldShape, PublicFlag, RecipientText, TransferShape } from "./shapes";
import { ToolFailure, tool } from "./tool";

/** Hosts stop waiting for a call after a minute. A payment that isn't final before that is reported as pending. */
const PATIENCE_MS = 25_000;

export const sendPayment = tool({
  name: "send_payment",
  title: "Send a payment",
  description:
    "Pays real money from this agent's available balance, within its spend policy. It cannot be undone. Returns `outcome`: " +
    "`confirmed` (final), `pending` (accepted, not final yet: check list_transfers, do not send again), `failed` (no money " +
    "moved) or `held` (above the approval threshold: a person decides; check get_held_payment, do not send again). " +
    "Use dry_run first if unsure whether the policy allows it. Pass an idempotency_key of your own, one per intended " +
    "payment: a call repeated with the same key never pays twice.",
  input: z.strictObject({
    to: RecipientText,
    amount: AmountShape,
    asset: AssetText,
    memo: z.string().max(512).optional().describe("A note that only payer and recipient can read; up to 512 bytes."),
    reference: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe("Your reference, such as an order number. The recipient and the service can read it."),
    public: PublicFlag,
    idempotency_key: z
      .string()
      .regex(/^[\x21-\x7e]{1,255}$/)
      .optional()
      .describe(
        "One per intended payment, such as a UUID; repeat it when you repeat the call. Made and returned when left out.",
      ),
  }),
  output: z.object({
    outcome: z.enum(["confirmed", "pending", "failed", "held"]),
    idempotency_key: z.string(),
    transfer: TransferShape.optional(),
    held_payment: HeldShape.optional(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  needsPay: true,
  async run(agent, { idempotency_key = crypto.randomUUID(), ...payment }) {
    const sent = await agent.pay(payment, idempotency_key).catch((cause: unknown) => {
      throw new ToolFailure(cause, { idempotency_key });
    });
    if ("transaction_id" in sent) return { outcome: "held" as const, idempotency_key, held_payment: sent };
    const transfer = await agent.followed(sent, Date.now() + PATIENCE_MS);
    return { outcome: transfer.status, idempotency_key, transfer };
  },
  say({ outcome, transfer, held_payment }) {
    switch (outcome) {
      case "held":
        return `Held for the owner's approval as ${held_payment?.transaction_id} until ${held_payment?.expires_at}; no money has moved.`;
      case "confirmed":
        return `Paid: ${transfer?.transfer_id} is final.`;
      case "pending":
        return `Accepted as ${transfer?.transfer_id}, not final yet. Do not send it again.`;
      case "failed":
        return `${transfer?.transfer_id} failed; no money moved. Use a new idempotency_key to try again.`;
    }
  },
});
