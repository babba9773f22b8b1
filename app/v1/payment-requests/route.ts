import { route } from "@/lib/http/route";
import { createPaymentRequest } from "@/lib/payments/requests/create-payment-request";
import { listPaymentRequests } from "@/lib/payments/requests/list-payment-requests";
import {
  PaymentRequestList,
  PaymentRequestResource,
  toPaymentRequest,
  toPaymentRequestList,
} from "@/lib/payments/requests/payment-request-resource";
import { CreatePaymentRequestInput, ListPaymentRequestsQuery } from "@/lib/payments/requests/schema";

export const POST = route({
  auth: ["key", "session"],
  scope: "requests",
  opens: "secret",
  idempotent: true,
  docs: {
    operationId: "createPaymentRequest",
    tag: "Payment requests",
    summary: "Create a payment request",
    description:
      "Stores a request that your client has encrypted: there is no field for an amount. The SDK and the command line make the body and the link. Without `signature`, the service signs the ciphertext with what the API key wraps.",
  },
  body: CreatePaymentRequestInput,
  handle: ({ ctx, body, beforeCommit }) => createPaymentRequest(ctx, body, beforeCommit),
  responses: { 201: PaymentRequestResource },
  serialize: toPaymentRequest,
});

export const GET = route({
  auth: ["key", "session"],
  scope: "read",
  docs: {
    operationId: "listPaymentRequests",
    tag: "Payment requests",
    summary: "List payment requests",
    description: "Returns the account's payment requests with the states of their payments, newest first.",
  },
  query: ListPaymentRequestsQuery,
  responses: { 200: PaymentRequestList },
  handle: ({ ctx, query }) => listPaymentRequests(ctx, query),
  serialize: toPaymentRequestList,
});
