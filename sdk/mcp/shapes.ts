import { z } from "zod";

/** The inputs and results of tools, described for a language model. */

export const RecipientText = z
  .string()
  .min(1)
  .max(100)
  .describe("The recipient: an @handle such as @supplier, @owner/agent, or a 0x address. Never guess it.");

export const AmountShape = z
  .string()
  .max(32)
  .regex(/^(0|[1-9][0-9]*)(\.[0-9]{1,9})?$/, 'An amount is a decimal string such as "12.5".')
  .describe('The amount as a decimal string such as "25" or "0.5": no number, no sign, no currency, no separators.');

export const AssetText = z.enum(["USDG", "ETH"]).optional().describe("The asset; USDG when left out.");

export const PublicFlag = z
  .boolean()
  .optional()
  .describe("true sends a public payment: anyone can read the amount on chain. Only when explicitly asked to.");

/** The details of a payment besides amount and memo. */
const DETAILS = {
  reference: z.string().nullish(),
  refund_of: z.string().nullish(),
  payment_request: z.string().nullish(),
};

export const TransferShape = z.object({
  transfer_id: z.string(),
  status: z.enum(["pending", "confirmed", "failed"]),
  from: z.string().optional(),
  to: z.string(),
  direction: z.enum(["sent", "received"]).optional(),
  asset: z.string().optional(),
  confidential: z.boolean(),
  tx_hash: z.string(),
  created_at: z.string(),
  confirmed_at: z.string().nullish(),
  ...DETAILS,
  payout: z.string().nullish(),
  schedule_run: z.string().nullish(),
  checked: z.boolean().nullish(),
});

export const HeldShape = z.object({
  transaction_id: z.string(),
  status: z.enum(["pending_approval", "approved", "rejected", "expired"]),
  agent: z.string(),
  to: z.string(),
  requested_at: z.string(),
  expires_at: z.string(),
  ...DETAILS,
});
