import { z } from "zod";

const pageNumber = (min: number, max: number, message: string, standard: number, description: string) =>
  z
    .string()
    .regex(/^(0|[1-9][0-9]{0,9})$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .default(standard)
    .meta({ description, wire: { type: "integer", minimum: min, maximum: max, default: standard } });

const FIRST_INSTANT = Date.UTC(1970, 0, 1);
const LAST_INSTANT = Date.UTC(9999, 11, 31);

/** A time with its zone, as text; becomes a Date. Beyond these years PostgreSQL's texts and JavaScript's differ. */
export const InstantInput = z.iso
  .datetime({ offset: true, error: "Write the time in ISO 8601 with its zone: 2026-11-21T02:07:36Z.", abort: true })
  .transform((text) => new Date(text))
  .refine(
    (time) => time.getTime() >= FIRST_INSTANT && time.getTime() <= LAST_INSTANT,
    "Name a time between the years 1970 and 9999.",
  )
  .meta({ wire: { type: "string", format: "date-time" } });

/** What the query of every list takes: `limit` 1 to 100 (20), `offset` from 0. */
export const PAGE_QUERY = {
  limit: pageNumber(1, 100, "limit lies between 1 and 100.", 20, "Number of entries to return, 1 to 100."),
  offset: pageNumber(0, 1_000_000_000, "offset is a whole number from 0 up.", 0, "Number of entries to skip."),
};

/** Strict bounds on `created_at`, ISO 8601 with a zone. */
export const TIMES_QUERY = {
  from: InstantInput.optional().meta({
    description: "Returns only entries created after this time. ISO 8601 with a time zone.",
  }),
  to: InstantInput.optional().meta({
    description: "Returns only entries created before this time. ISO 8601 with a time zone.",
  }),
};

interface Times {
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Arguments of `refine` for a query with {@link TIMES_QUERY}: with `from` later than `to`, every page would be empty. */
export const TIMES_IN_ORDER: [check: (query: Times) => boolean, params: { path: string[]; message: string }] = [
  ({ from, to }) => !from || !to || from <= to,
  { path: ["from"], message: "from is later than to. Swap them." },
];
