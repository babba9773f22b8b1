import { route } from "@/lib/http/route";
import { toDeliveryResource } from "@/lib/webhooks/delivery-resource";
import { replayEvent } from "@/lib/webhooks/replay-event";

export const POST = route({
  auth: "apiKey",
  idempotent: true,
  handle: ({ ctx, params, beforeCommit }) =>
    replayEvent(ctx, params.webhook_id ?? "", params.event_id ?? "", beforeCommit),
  status: 202,
  serialize: toDeliveryResource,
});
