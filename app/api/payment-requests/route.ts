import { route } from "@/lib/http/route";
import { createPaymentRequest } from "@/lib/payment-requests/create-payment-request";
import { listPaymentRequests } from "@/lib/payment-requests/list-payment-requests";
import { toPaymentRequest, toPaymentRequestList } from "@/lib/payment-requests/payment-request-resource";
import { CreatePaymentRequestInput, ListPaymentRequestsQuery } from "@/lib/payment-requests/schema";

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
