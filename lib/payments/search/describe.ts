import type { StoredHeld } from "@/lib/payments/approvals/find-held";
import type { PaymentRequestRow } from "@/lib/payments/requests/find-payment-request";
import type { TransferSummary } from "@/lib/payments/transfer-view";
import type { FoundRecord } from "./found-resource";

/** Describes a transfer, named by its counterparty. */
export function foundTransfer({ row, payerHandle, direction }: TransferSummary): FoundRecord {
  const { id, status, createdAt } = row;
  const name = direction === "sent" ? row.to : `@${payerHandle}`;
  return { type: "transfer", id, name, status, partOf: null, createdAt: new Date(createdAt) };
}

/** Describes a held payment, named by its recipient. */
export function foundHeld({ row }: StoredHeld): FoundRecord {
  const { id, to: name, status, requestedAt: createdAt } = row;
  return { type: "held_payment", id, name, status, partOf: null, createdAt };
}

/** Describes a payment request, named by its reference. */
export function foundRequest({ id, reference, status, createdAt }: PaymentRequestRow): FoundRecord {
  return { type: "payment_request", id, name: reference, status, partOf: null, createdAt };
}
