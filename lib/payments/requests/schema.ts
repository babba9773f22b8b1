import { z } from "zod";
import { isId } from "@/lib/base/ids";
import { AssetInput } from "@/lib/base/inputs";
import { InstantInput, PAGE_QUERY, TIMES_IN_ORDER, TIMES_QUERY } from "@/lib/base/paging";
import { isReference, normalReference } from "@/lib/ledger/plain-text";
import { hexBytes } from "@/lib/ledger/prepare/document-fields";

/** Lengths of an envelope in bytes: one of three padded lengths, plus nonce and tag (lib/ledger/payment-request). */
const ENVELOPE_LENGTHS = [1_024, 4_096, 16_384].map((size) => size + 40);
/** Length of the link's key encrypted with HPKE, in bytes. */
const ENCRYPTED_KEY_LENGTH = 32 + 48;
const SIGNATURE_LENGTH = 65;

const hexOf = (lengths: readonly number[], message: string, description: string) =>
  z
    .string(message)
    .refine((text) => /^0x[0-9a-f]*$/.test(text) && lengths.some((bytes) => text.length === 2 + 2 * bytes), message)
    .transform((text) => text as `0x${string}`)
    .meta({ description, wire: { type: "string", pattern: "^0x([0-9a-f]{2})+$" } });

/** The payee's own reference, such as an order number: one line, which the service can read. */
export const RequestReference = z
  .string("A reference is a text.")
  .overwrite(normalReference)
  .min(1, "A reference has 1 to 64 characters.")
  .max(64, "A reference has 1 to 64 characters.")
  .regex(/^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u, "A reference is one line without invisible characters.")
  .refine(isReference, "A reference is one line without invisible characters.");

/** The body of `POST /v1/payment-requests`. The amount is in the encrypted envelope, so there is no field for it. */
export const CreatePaymentRequestInput = z
  .strictObject({
    payment_request_id: z
      .string("Draw the id on the client: payreq_ and a ULID.")
      .refine((id) => isId("paymentRequest", id), "Draw the id on the client: payreq_ and a ULID.")
      .meta({
        description: "Drawn by your client, because the envelope is bound to it. The SDK does this.",
        wire: { type: "string", pattern: "^payreq_[0-7][0-9A-HJKMNP-TV-Z]{25}$" },
      }),
    asset: AssetInput.default("USDG"),
    expires_at: InstantInput.meta({
      description: "Until when it can be paid, in whole seconds, at most 366 days ahead. ISO 8601 with a time zone.",
    }),
    reference: RequestReference.optional().meta({
      description: "Your own reference, such as an order number: up to 64 characters. The service can read it.",
    }),
    envelope: hexOf(
      ENVELOPE_LENGTHS,
      "The envelope is not one that the SDK makes.",
      "Amount, note and lines, encrypted under the key in the link's fragment.",
    ),
    link_key: hexOf(
      [ENCRYPTED_KEY_LENGTH],
      "The link's key is encrypted for your viewing key: 80 bytes.",
      "The key in the link's fragment, encrypted for your own viewing key.",
    ),
    signature: hexOf(
      [SIGNATURE_LENGTH],
      "A signature has 65 bytes.",
      "Your payment key's signature of the terms and the envelope. If omitted, the service signs with what the API key wraps.",
    ).optional(),
    blind: z
      .strictObject({
        signature: hexBytes(64).meta({
          description: "Signature of this request by the key that the home key derives (Ed25519, RFC 8032).",
        }),
      })
      .optional()
      .meta({ description: "With a blind key, in place of `signature`. The SDK creates it with the home key." }),
  })
  .meta({ id: "CreatePaymentRequest", description: "A payment request, encrypted and bound by your client." });
export type CreatePaymentRequestInput = z.infer<typeof CreatePaymentRequestInput>;

/** What a payee's client can find in a payment. */
const FINDINGS = ["exact", "overpaid", "underpaid", "unrelated"] as const;

/** The body of `POST /v1/payment-requests/{payment_request_id}/report`. */
export const ReportPaymentInput = z
  .strictObject({
    transfer_id: z.string("Name the payment: tr_…").meta({ description: "The payment that your client decrypted." }),
    finding: z.enum(FINDINGS, "finding is exact, overpaid, underpaid or unrelated.").meta({
      description:
        "`exact`, `overpaid` or `underpaid` against the amount of the request; `unrelated` if it does not carry the request's binding.",
    }),
  })
  .meta({ id: "ReportPayment", description: "What your client found when it decrypted a payment of the request." });
export type ReportPaymentInput = z.infer<typeof ReportPaymentInput>;

/** The states of a payment request. */
export const REQUEST_STATES = ["open", "processing", "paid", "expired", "cancelled"] as const;

/** The query of the list of payment requests. */
export const ListPaymentRequestsQuery = z
  .strictObject({
    ...PAGE_QUERY,
    starting_after: z.string().max(40).optional().meta({
      description: "Returns what follows this payment request in the list. Take the last id of the page before.",
    }),
    status: z.enum(REQUEST_STATES, "status is open, processing, paid, expired or cancelled.").optional().meta({
      description: "Returns only requests in this state.",
    }),
    reference: z
      .string()
      .overwrite(normalReference)
      .max(64)
      .optional()
      .meta({ description: "Returns only requests with this reference." }),
    ...TIMES_QUERY,
  })
  .refine(...TIMES_IN_ORDER);
export type ListPaymentRequestsQuery = z.infer<typeof ListPaymentRequestsQuery>;
