import { EventList, toEventList } from "@/lib/events/event-resource";
import { listEvents } from "@/lib/events/list-events";
import { ListEventsQuery } from "@/lib/events/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: ["key", "session"],
  scope: "read",
  docs: {
    operationId: "listEvents",
    tag: "Events",
    summary: "List events",
    description:
      "Returns events, newest first. With `after`, returns the events after a given one, oldest first, so that you can follow along without missing or repeating any. The service's configuration sets how long events are kept.",
  },
  responses: { 200: EventList },
  query: ListEventsQuery,
  handle: ({ ctx, query }) => listEvents(ctx, query),
  serialize: toEventList,
});
