import { route } from "@/lib/http/route";
import { BLIND_BATCH_BODY, BlindBatchInput, createBlindBatch } from "@/lib/payments/blind/create-blind-batch";
import { toCreatedResource } from "@/lib/payments/created-transfer-resource";
import { BatchResource, toTransferResource } from "@/lib/payments/transfer-resource";
import type { TransferView } from "@/lib/payments/transfer-view";

export const POST = route({
  auth: "key",
  scope: "pay",
  opens: "secret",
  docs: {
    operationId: "createBlindBatch",
    tag: "Transfers",
    summary: "Send payments that wait for one balance",
    description:
      "Makes 2 to 16 payments that a client with a home key has proved together: each is that of its own request and `Idempotency-Key`, with which `POST /v1/transfers` returns it again. The SDK and the proxy call it by themselves for payments that come at once. All are paid or none.",
    errors: [
      "key_forbidden",
      "kyc_required",
      "recipient_not_found",
      "recipient_not_confidential_ready",
      "recipient_blocked",
      "available_balance_changed",
      "idempotency_in_progress",
      "idempotency_mismatch",
      "payment_request_closed",
      "reference_in_use",
      "sync_required",
    ],
  },
  body: BlindBatchInput,
  bodyLimit: BLIND_BATCH_BODY,
  cost: ({ blind }) => blind.payments.length,
  together: {
    path: "/v1/transfers",
    requests: ({ blind }) =>
      blind.payments.map((one) => ({ idempotencyKey: one.idempotency_key, bodyText: one.fingerprint })),
    responses: (views: TransferView[]) =>
      views.map((transfer) => ({ status: 201, body: toCreatedResource({ outcome: "paid", transfer }) })),
    joined: (bodies) => ({ transfers: bodies }),
  },
  responses: { 201: BatchResource },
  handle: ({ ctx, body, beforeCommit }) => createBlindBatch(ctx, body, beforeCommit),
  serialize: (views) => ({ transfers: views.map(toTransferResource) }),
});
