import { z } from "zod";
import { ID_PREFIX, type IdKind } from "@/lib/base/ids";

const idOrNull = (kind: IdKind, description: string) =>
  z
    .string()
    .nullable()
    .meta({
      description,
      wire: { type: ["string", "null"], pattern: `^${ID_PREFIX[kind]}[0-7][0-9A-HJKMNP-TV-Z]{25}$` },
    });

export const REFERENCE_FIELD = z
  .string()
  .nullable()
  .meta({ description: "The payer's reference, which both sides and the service can read; null without one." });
export const REFUND_OF_FIELD = idOrNull("transfer", "The transfer that this gives back; null if it is no refund.");
export const PAYMENT_REQUEST_FIELD = idOrNull("paymentRequest", "The payment request that it names; null without one.");

/** The details of a transfer, such as its reference. */
export const DETAILS_FIELDS = {
  reference: REFERENCE_FIELD,
  refund_of: REFUND_OF_FIELD,
  checked: z.boolean().nullable().meta({
    description:
      "Of a refund: whether a client of the account that refunds has compared it, with the earlier refunds, with what it received. null if it is no refund.",
  }),
  payment_request: PAYMENT_REQUEST_FIELD,
  payout: idOrNull("payout", "The payout that it belongs to; null without one, and to the recipient."),
  schedule_run: idOrNull("scheduleRun", "The run of a schedule that paid it; null without one, and to the recipient."),
};
