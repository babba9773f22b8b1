import { route } from "@/lib/http/route";
import { BLIND_BATCH_BODY } from "@/lib/payments/blind/create-blind-batch";
import { BatchInput, BatchQuery, type CreatedBatch, createBatch, toCreatedBatch } from "@/lib/payments/create-batch";
import { toCreatedResource } from "@/lib/payments/created-transfer-resource";
import { BatchResource } from "@/lib/payments/transfer-resource";

export const POST = route({
  auth: ["key", "session"],
  actsForAgents: true,
  scope: "pay",
  opens: "secret",
  docs: {
    operationId: "createTransferBatch",
    tag: "Transfers",
    summary: "Send payments that share a proof",
    description:
      "Makes 2 to 16 payments that your client has proved together. All are paid or none. With a home key, `blind` joins payments that wait for one balance: each is that of its own request and `Idempotency-Key`, with which `POST /v1/transfers` returns it again, and the batch itself takes no such header. With a session, they are one act of the owner, who has signed it as `client_signed`. The SDK and the proxy create both.",
    errors: [
      "key_forbidden",
      "kyc_required",
      "policy_violation",
      "policy_not_in_force",
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
  body: BatchInput,
  query: BatchQuery,
  bodyLimit: BLIND_BATCH_BODY,
  cost: ({ blind }) => blind?.payments.length ?? 1,
  together: {
    path: "/v1/transfers",
    requests: ({ blind }) =>
      (blind?.payments ?? []).map((one) => ({ idempotencyKey: one.idempotency_key, bodyText: one.fingerprint })),
    responses: ({ transfers }: CreatedBatch) =>
      transfers.map((transfer) => ({ status: 201, body: toCreatedResource({ outcome: "paid", transfer }) })),
    joined: (bodies) => ({ transfers: bodies }),
  },
  responses: { 201: BatchResource },
  handle: ({ ctx, body, query, beforeCommit }) => createBatch(ctx, body, query, beforeCommit),
  serialize: toCreatedBatch,
});
