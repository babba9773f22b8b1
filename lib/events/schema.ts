import { z } from "zod";
import { isId } from "@/lib/ids";
import { PAGE_QUERY, TIMES_QUERY } from "@/lib/paging";
import { EVENT_TYPES, type EventType } from "./catalogue";

const known = (type: string): type is EventType => (EVENT_TYPES as readonly string[]).includes(type);

/** The cursor in front of every event. */
export const FIRST_CURSOR = "evt_00000000000000000000000000";

/**
 * The query of `GET /v1/events`. `type` is one type or several with commas between; `from` and `to` are strict bounds.
 * `after` makes it a stream, oldest first: what came after that event, or from the start with `FIRST_CURSOR`.
 */
export const ListEventsQuery = z
  .strictObject({
    ...PAGE_QUERY,
    ...TIMES_QUERY,
    type: z
      .string()
      .transform((text) => text.split(","))
      .refine((types) => types.every(known), `type names event types of the service: ${EVENT_TYPES.join(", ")}.`)
      .transform((types) => types as EventType[])
      .optional()
      .meta({ description: "One event type, or several with commas between." }),
    after: z
      .string()
      .refine((id) => isId("event", id), "after is the id of an event.")
      .optional()
      .meta({
        description: `Makes it a stream, oldest first: what came after that event, or with \`${FIRST_CURSOR}\` from the start.`,
      }),
  })
  .refine(({ after, offset }) => after === undefined || offset === 0, {
    path: ["offset"],
    message: "With after there is no offset: continue after the last event of the page.",
  });
export type ListEventsQuery = z.infer<typeof ListEventsQuery>;
