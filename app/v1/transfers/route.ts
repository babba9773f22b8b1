import { route } from "@/lib/http/route";
import { HeldResource } from "@/lib/payments/approvals/held-payment-resource";
import { createTransfer } from "@/lib/payments/create-transfer";
import { createdHeaders, DryRunResource, toCreatedResource } from "@/lib/payments/created-transfer-resource";
import { listOwnSummaries, listOwnTransfers } from "@/lib/payments/list-own-transfers";
import { CreateTransferInput, CreateTransferQuery, ListTransfersQuery } from "@/lib/payments/schema";
import { TransferList, TransferResource, toTransferList } from "@/lib/payments/transfer-resource";
import { tryTransfer } from "@/lib/payments/try-transfer";

const STATUS = { paid: 201, held: 202, tried: 200 } as const;

export const POST = route({
  auth: ["key", "session"],
  scope: "pay",
  agentKeys: "allowed",
  actsForAgents: true,
  opens: "secret",
  docs: {
    operationId: "createTransfer",
    tag: "Transfers",
    summary: "Send a payment",
    description:
      "Pays from the available balance of the key's account or, with `from`, of one of its agents. An agent's payment must meet its spend policy: above the threshold it awaits your approval and returns 202. With `dry_run=true`, the API checks the policy and pays nothing. The body either names an `amount`, or contains a client-signed payment, `client_signed` on your device, whose amount the service doesn't see. With `exact`, an agent pays a seller over HTTP 402 that takes public payments only.",
    errors: [
      "insufficient_balance",
      "kyc_required",
      "not_agent_owner",
      "policy_violation",
      "key_forbidden",
      "not_found",
      "recipient_not_found",
      "available_balance_changed",
      "policy_not_in_force",
      "payment_request_closed",
      "reference_in_use",
      "refund_conflict",
      "refund_not_possible",
      "sync_required",
      "recipient_not_confidential_ready",
      "recipient_blocked",
    ],
  },
  idempotent: ({ dry_run }) => !dry_run,
  fingerprint: ({ blind }) => blind?.fingerprint,
  body: CreateTransferInput,
  query: CreateTransferQuery,
  handle: ({ ctx, body, query, beforeCommit }) =>
    query.dry_run ? tryTransfer(ctx, body) : createTransfer(ctx, body, beforeCommit),
  status: ({ outcome }) => STATUS[outcome],
  responses: { 201: TransferResource, 202: HeldResource, 200: DryRunResource },
  serialize: toCreatedResource,
  headers: createdHeaders,
});

export const GET = route({
  auth: ["key", "session"],
  scope: "read",
  agentKeys: "allowed",
  docs: {
    operationId: "listTransfers",
    tag: "Transfers",
    summary: "List transfers",
    description:
      "Returns sent and received payments, newest first. An account's key lists its agents' transfers too; an agent's key lists only its own. With `include=encrypted`, each transfer has its encrypted copies, which a client decrypts with the account's viewing key.",
    errors: ["not_found", "not_agent_owner", "recipient_not_found"],
  },
  query: ListTransfersQuery,
  responses: { 200: TransferList },
  handle: async ({ ctx, query: { include, ...query } }) =>
    include === undefined ? await listOwnSummaries(ctx, query) : { ...(await listOwnTransfers(ctx, query)), include },
  serialize: toTransferList,
});
