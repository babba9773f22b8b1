import { toDeliveryDetails } from "@/lib/events/webhooks/delivery-resource";
import { getDelivery } from "@/lib/events/webhooks/get-delivery";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "session",
  handle: ({ ctx, params }) => getDelivery(ctx, params.delivery_id ?? ""),
  serialize: toDeliveryDetails,
});
