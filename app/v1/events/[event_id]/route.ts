import { toEventResource } from "@/lib/events/event-resource";
import { getEvent } from "@/lib/events/get-event";
import { EventResource } from "@/lib/events/payloads";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: ["key", "session"],
  scope: "read",
  docs: {
    operationId: "getEvent",
    tag: "Events",
    summary: "Get an event",
    description: "Returns an event of the account or one of its agents, as it is delivered to webhooks.",
  },
  responses: { 200: EventResource },
  handle: ({ ctx, params }) => getEvent(ctx, params.event_id ?? ""),
  serialize: toEventResource,
});
