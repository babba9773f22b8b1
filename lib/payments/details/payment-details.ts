import { z } from "zod";
import type { transfers } from "@/db/schema/transfers";
import { ApiError } from "@/lib/base/errors";
import { isId } from "@/lib/base/ids";
import { isReference, normalReference, REFERENCE_LENGTH } from "@/lib/ledger/plain-text";

/** The payer's reference for a payment, such as an order number. Both sides and the service can read it. */
export const ReferenceInput = z
  .string("A reference is a text.")
  .overwrite(normalReference)
  .refine((text) => text.length > 0, "A reference has at least one character.")
  .refine((text) => [...text].length <= REFERENCE_LENGTH, `A reference has at most ${REFERENCE_LENGTH} characters.`)
  .refine(isReference, "A reference is one line of text without invisible characters.")
  .meta({ wire: { type: "string", minLength: 1, maxLength: REFERENCE_LENGTH } });

/** Returns the schema of a field with a transfer's id. */
export const transferIdInput = (field: string) =>
  z.string().refine((id): boolean => isId("transfer", id), `${field} is the id of a transfer.`);

/** Optional details of any single payment, besides recipient, amount and memo. */
export const DETAIL_FIELDS = {
  reference: ReferenceInput.optional().meta({
    description:
      "Your reference for the payment, such as an order number: up to 64 characters. The recipient and the service can read it, so put nothing secret in it.",
    examples: ["order-1042"],
  }),
  unique_reference: z.boolean("unique_reference is true or false.").optional().meta({
    description:
      "`true` refuses the payment with `reference_in_use` if this key has made one with the same `reference` that has not failed.",
  }),
  payment_request: z
    .string()
    .refine((id) => isId("paymentRequest", id), "payment_request is the id of a payment request.")
    .optional()
    .meta({ description: "The payment request that this pays.", examples: ["payreq_01KADJ2C9B3T6Y0V8ZQ4N5M7WX"] }),
  binding: z
    .templateLiteral(["0x", z.string()])
    .refine((text) => /^0x[0-9a-f]{64}$/.test(text), "A binding is 0x and 64 lower-case hex digits.")
    .optional()
    .meta({
      description:
        "32 bytes that say what the payment is for, encrypted into the recipient's copy. Only for confidential payments that the service signs.",
      wire: { type: "string", pattern: "^0x[0-9a-f]{64}$" },
    }),
};

type Row = typeof transfers.$inferSelect;

/** Details that are recorded with a payment, besides its parties, amount and memo. None reveals an amount. */
export type PaymentDetails = Pick<
  Row,
  "reference" | "refundOf" | "refundChecked" | "paymentRequestId" | "payoutId" | "scheduleRunId"
>;

/** The details of a payment without any. */
export const NO_DETAILS: PaymentDetails = {
  reference: null,
  refundOf: null,
  refundChecked: null,
  paymentRequestId: null,
  payoutId: null,
  scheduleRunId: null,
};

/** The columns that name what a payment is for. */
export type PurposeColumn = "refundOf" | "paymentRequestId" | "payoutId" | "scheduleRunId";

/**
 * Refuses a payment that is for several things: a refund, a payment request, a row of a payout or a run of a schedule.
 *
 * @throws ApiError `invalid_request`
 */
export function requireOnePurpose({
  refundOf,
  paymentRequestId,
  payoutId,
  scheduleRunId,
}: Pick<PaymentDetails, PurposeColumn>) {
  const purposes = [refundOf, paymentRequestId, payoutId, scheduleRunId].filter((one) => one !== null);
  if (purposes.length <= 1) return;
  throw new ApiError(
    "invalid_request",
    "A payment is for one thing: a refund, a payment request, a payout or a run of a schedule. Name one of them.",
  );
}
