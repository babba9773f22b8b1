import { route } from "@/lib/http/route";
import { createPaymentRequest } from "@/lib/payments/requests/create-payment-request";
import { listPaymentRequests } from "@/lib/payments/requests/list-payment-requests";
import { toPaymentRequest, toPaymentRequestList } from "@/lib/payments/requests/payment-request-resource";
import { CreatePaymentRequestInput, ListPaymentRequestsQuery } from "@/lib/payments/requests/schema";

export const POST = route({
  auth: "session",
  body: CreatePaymentRequestInput,
  handle: ({ ctx, body }) => createPaymentRequest(ctx, body),
  status: 201,
  serialize: toPaymentRequest,
});

export const GET = route({
  auth: "session",
  query: ListPaymentRequestsQuery,
  handle: ({ ctx, query }) => listPaymentRequests(ctx, query),
  serialize: toPaymentRequestList,
});
