import { z } from "zod";
import { isId } from "@/lib/base/ids";
import { CURSOR_OR_OFFSET, cursorQuery, PAGE_QUERY, TIMES_IN_ORDER, TIMES_QUERY } from "@/lib/base/paging";
import { EVENT_TYPES, type EventType } from "./catalogue";

const known = (type: string): type is EventType => (EVENT_TYPES as readonly string[]).includes(type);

/** A cursor before every event. */
export const FIRST_CURSOR = "evt_00000000000000000000000000";

/**
 * The query of `GET /v1/events`. `type` is one type, or several separated by commas; `from` and `to` are exclusive
 * bounds. With `after`, the response is part of a stream, oldest first: what came after that event, or everything with
 * `FIRST_CURSOR`.
 */
export const ListEventsQuery = z
  .strictObject({
    ...PAGE_QUERY,
    ...TIMES_QUERY,
    ...cursorQuery("event"),
    type: z
      .string()
      .transform((text) => text.split(","))
      .refine((types) => types.every(known), `type names event types of the service: ${EVENT_TYPES.join(", ")}.`)
      .transform((types) => types as EventType[])
      .optional()
      .meta({ description: "Returns only events of this type, or of several types separated by commas." }),
    after: z
      .string()
      .refine((id) => isId("event", id), "after is the id of an event.")
      .optional()
      .meta({
        description: `Returns the events after the one with this id, oldest first. Start with \`${FIRST_CURSOR}\`.`,
      }),
  })
  .refine(...TIMES_IN_ORDER)
  .refine(...CURSOR_OR_OFFSET)
  .refine(({ after, starting_after }) => after === undefined || starting_after === undefined, {
    path: ["starting_after"],
    message: "after reads oldest first, starting_after newest first. Send one of them.",
  })
  .refine(({ after, offset }) => after === undefined || offset === 0, {
    path: ["offset"],
    message: "With after there is no offset: continue after the last event of the page.",
  });
export type ListEventsQuery = z.infer<typeof ListEventsQuery>;
