import { toDeliveryResource } from "@/lib/events/webhooks/delivery-resource";
import { replayEvent } from "@/lib/events/webhooks/replay-event";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  handle: ({ ctx, params }) => replayEvent(ctx, params.webhook_id ?? "", params.event_id ?? ""),
  status: 202,
  serialize: toDeliveryResource,
});
