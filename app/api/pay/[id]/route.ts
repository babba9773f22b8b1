import { route } from "@/lib/http/route";
import { getPublicRequest } from "@/lib/payments/requests/get-public-request";
import { toPublicRequest } from "@/lib/payments/requests/payment-request-resource";

export const GET = route({
  auth: "public",
  limit: "public",
  handle: ({ params }) => getPublicRequest(params.id ?? ""),
  serialize: toPublicRequest,
});
