import { z } from "zod";

const pageNumber = (min: number, max: number, message: string) =>
  z
    .string()
    .regex(/^(0|[1-9][0-9]{0,9})$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);

/** A time with its zone, as text; becomes a Date. */
export const InstantInput = z.iso
  .datetime({ offset: true, error: "Write the time in ISO 8601 with its zone: 2026-11-21T02:07:36Z." })
  .transform((text) => new Date(text));

/** What the query of every list takes: `limit` 1 to 100 (20), `offset` from 0. */
export const PAGE_QUERY = {
  limit: pageNumber(1, 100, "limit lies between 1 and 100.").default(20),
  offset: pageNumber(0, 1_000_000_000, "offset is a whole number from 0 up.").default(0),
};

/** Strict bounds on `created_at`, ISO 8601 with a zone. */
export const TIMES_QUERY = { from: InstantInput.optional(), to: InstantInput.optional() };
