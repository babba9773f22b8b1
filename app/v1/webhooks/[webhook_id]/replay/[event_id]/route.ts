import { DeliveryResource, toQueuedDelivery } from "@/lib/events/webhooks/delivery-resource";
import { replayEvent } from "@/lib/events/webhooks/replay-event";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: ["key", "session"],
  scope: "webhooks",
  idempotent: true,
  docs: {
    operationId: "replayEvent",
    tag: "Webhooks",
    summary: "Replay an event",
    description: "Sends one event again now. It keeps its id and gets a new delivery.",
  },
  handle: ({ ctx, params, beforeCommit }) =>
    replayEvent(ctx, params.webhook_id ?? "", params.event_id ?? "", beforeCommit),
  responses: { 202: DeliveryResource },
  serialize: toQueuedDelivery,
});
