import { toEventList } from "@/lib/events/event-resource";
import { listEvents } from "@/lib/events/list-events";
import { ListEventsQuery } from "@/lib/events/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "session",
  query: ListEventsQuery,
  handle: ({ ctx, query }) => listEvents(ctx, query),
  serialize: toEventList,
});
