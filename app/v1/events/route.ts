import { EventList, toEventList } from "@/lib/events/event-resource";
import { listEvents } from "@/lib/events/list-events";
import { ListEventsQuery } from "@/lib/events/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "apiKey",
  scope: "read",
  docs: {
    operationId: "listEvents",
    tag: "Events",
    summary: "List events",
    description:
      "Newest first; with `after` a stream, oldest first: nothing is shown twice and nothing is missed. Events are kept as long as the service is set to.",
  },
  answers: { 200: EventList },
  query: ListEventsQuery,
  handle: ({ ctx, query }) => listEvents(ctx, query),
  serialize: toEventList,
});
