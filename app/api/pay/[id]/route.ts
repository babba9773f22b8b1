import { route } from "@/lib/http/route";
import { getPublicRequest } from "@/lib/payment-requests/get-public-request";
import { toPublicRequest } from "@/lib/payment-requests/payment-request-resource";

export const GET = route({
  auth: "public",
  limit: "public",
  handle: ({ params }) => getPublicRequest(params.id ?? ""),
  serialize: toPublicRequest,
});
