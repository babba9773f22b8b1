import { toEventResource } from "@/lib/events/event-resource";
import { getEvent } from "@/lib/events/get-event";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "session",
  handle: ({ ctx, params }) => getEvent(ctx, params.event_id ?? ""),
  serialize: toEventResource,
});
