import { z } from "zod";
import { assetByAddress } from "@/lib/base/assets";
import { isoTime } from "@/lib/base/clock";
import { type ChainId, networkOf } from "@/lib/base/network";
import { handleField, hexField, idField, PAGE_FIELDS, timeField, timeOrNull } from "@/lib/base/response-fields";
import type { PaymentRequestRow } from "./find-payment-request";
import type { PublicRequest } from "./get-public-request";
import type { PaymentRequestPage } from "./list-payment-requests";
import type { PaymentRequestView, RequestPayment } from "./payments-of";
import { REQUEST_STATES } from "./schema";

const bytes = (description: string) =>
  z.templateLiteral(["0x", z.string()]).meta({ description, wire: { type: "string", pattern: "^0x([0-9a-f]{2})+$" } });

/** A payment of a request. */
const RequestPaymentResource = z
  .object({
    transfer_id: idField("transfer", "Identifies the payment."),
    from: handleField("Handle of the payer."),
    status: z.enum(["pending", "confirmed", "failed"]).meta({ description: "State of the payment on chain." }),
    state: z.enum(["unchecked", "exact", "overpaid", "underpaid", "late", "second", "unrelated"]).meta({
      description:
        "`unchecked` until your client has decrypted it. `exact`, `overpaid`, `underpaid`: against the request's amount. `late`: after the expiry, or a cancellation. `second`: the request was paid before. `unrelated`: it does not carry the request's binding.",
    }),
    created_at: timeField("When it was accepted."),
    checked_at: timeOrNull("When your client reported it; null until then."),
  })
  .meta({ id: "RequestPayment", description: "A payment of a request. Never an amount." });

/** Fields that everyone who may see the request gets. */
const SHARED = {
  payment_request_id: idField("paymentRequest", "Identifies the payment request."),
  status: z.enum(REQUEST_STATES).meta({
    description:
      "`open`: can be paid. `processing`: a payment names it, and its amount is not checked. `paid`: your client found a payment that covers it. `expired`, `cancelled`: no payment is taken for it.",
  }),
  payee: hexField(20, "The payee's address."),
  asset: z.string().meta({ description: "Symbol of the asset.", examples: ["USDG"] }),
  asset_address: hexField(20, "The token's contract; zero for ETH."),
  envelope: bytes("Amount, note and lines, encrypted under the key in the link's fragment."),
  signature: hexField(65, "The payee's signature of terms and envelope."),
  expires_at: timeField("Until when it can be paid."),
  created_at: timeField("When it was created."),
};

/** A payment request as its payee sees it. */
export const PaymentRequestResource = z
  .object({
    ...SHARED,
    reference: z.string().nullable().meta({ description: "Your reference; null without one." }),
    link_key: bytes("The key in the link's fragment, encrypted for your viewing key."),
    paid_by: z
      .string()
      .nullable()
      .meta({
        description: "The payment that covered it; null until your client has found one.",
        wire: { type: ["string", "null"], pattern: "^tr_[0-7][0-9A-HJKMNP-TV-Z]{25}$" },
      }),
    closed_at: timeOrNull("When it was paid, expired or was cancelled; null until then."),
    payments: z.array(RequestPaymentResource).meta({ description: "The payments that name it, oldest first." }),
  })
  .meta({
    id: "PaymentRequest",
    description: "A request for a payment. What it asks for is encrypted: decrypt it with the SDK.",
  });
export type PaymentRequestResource = z.infer<typeof PaymentRequestResource>;

/** A page of payment requests. */
export const PaymentRequestList = z
  .object({
    payment_requests: z.array(PaymentRequestResource).meta({ description: "The payment requests of this page." }),
    ...PAGE_FIELDS,
  })
  .meta({ id: "PaymentRequestList", description: "Payment requests, newest first." });

function shared(row: PaymentRequestRow) {
  return {
    payment_request_id: row.id,
    status: row.status,
    payee: row.payee,
    asset: assetByAddress(row.chainId as ChainId, row.asset)?.symbol ?? row.asset,
    asset_address: row.asset,
    envelope: row.envelope,
    signature: row.signature,
    expires_at: isoTime(row.expiresAt),
    created_at: isoTime(row.createdAt),
  };
}

function toRequestPayment({ transferId, payerHandle, status, state, createdAt, checkedAt }: RequestPayment) {
  return {
    transfer_id: transferId,
    from: `@${payerHandle}`,
    status,
    state,
    created_at: isoTime(createdAt),
    checked_at: checkedAt && isoTime(checkedAt),
  };
}

/** Serializes a payment request for its payee. */
export function toPaymentRequest({ row, payments }: PaymentRequestView<PaymentRequestRow>): PaymentRequestResource {
  return {
    ...shared(row),
    reference: row.reference,
    link_key: row.linkKey,
    paid_by: row.paidBy,
    closed_at: row.closedAt && isoTime(row.closedAt),
    payments: payments.map(toRequestPayment),
  };
}

/** Serializes a page of payment requests. */
export function toPaymentRequestList({ requests, limit, offset, hasMore }: PaymentRequestPage) {
  return { payment_requests: requests.map(toPaymentRequest), limit, offset, has_more: hasMore };
}

/** Serializes a payment request for anyone who has its link. */
export function toPublicRequest({ row, payeeHandle }: PublicRequest) {
  return { ...shared(row), network: networkOf(row.chainId as ChainId), payee_handle: `@${payeeHandle}` };
}
