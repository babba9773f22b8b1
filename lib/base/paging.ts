import { z } from "zod";
import { ApiError } from "@/lib/base/errors";
import { type IdKind, isId } from "@/lib/base/ids";

const wholeNumber = (min: number, max: number, message: string) =>
  z
    .string()
    .regex(/^(0|[1-9][0-9]{0,9})$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);

const pageNumber = (min: number, max: number, message: string, standard: number, description: string) =>
  wholeNumber(min, max, message)
    .default(standard)
    .meta({ description, wire: { type: "integer", minimum: min, maximum: max, default: standard } });

const FIRST_INSTANT = Date.UTC(1970, 0, 1);
const LAST_INSTANT = Date.UTC(9999, 11, 31);

/**
 * An ISO 8601 time with its zone, parsed into a Date. Outside these years PostgreSQL and JavaScript write times
 * differently.
 */
export const InstantInput = z.iso
  .datetime({ offset: true, error: "Write the time in ISO 8601 with its zone: 2026-11-21T02:07:36Z.", abort: true })
  .transform((text) => new Date(text))
  .refine(
    (time) => time.getTime() >= FIRST_INSTANT && time.getTime() <= LAST_INSTANT,
    "Name a time between the years 1970 and 9999.",
  )
  .meta({ wire: { type: "string", format: "date-time" } });

const LIMIT_BOUNDS = "limit lies between 1 and 100.";

/** The largest offset. The database reads every row that an offset skips, so deeper pages need a cursor. */
export const MAX_OFFSET = 10_000;

/** Query parameters of every list: `limit` from 1 to 100 (default 20), `offset` from 0 to {@link MAX_OFFSET}. */
export const PAGE_QUERY = {
  limit: pageNumber(1, 100, LIMIT_BOUNDS, 20, "Number of entries to return, 1 to 100."),
  offset: pageNumber(
    0,
    MAX_OFFSET,
    `offset is a whole number from 0 to ${MAX_OFFSET}. To read on, send the id of the last entry as starting_after.`,
    0,
    `Number of entries to skip, at most ${MAX_OFFSET}. To read on, use \`starting_after\`.`,
  ),
};

/**
 * Returns the query parameter of lists that also page by cursor, besides {@link PAGE_QUERY}: `starting_after`, the id
 * of the last entry of the page before.
 *
 * @param kind the kind of id that the entries of the list have
 */
export const cursorQuery = (kind: IdKind) => ({
  starting_after: z
    .string()
    .refine((id): boolean => isId(kind, id), "starting_after is the id of an entry of this list.")
    .optional()
    .meta({ description: "Returns the entries that follow the one with this id in the list. Not with `offset`." }),
});

/**
 * Arguments of `refine` for a query with {@link cursorQuery}: a page starts after an entry or at an offset, not both.
 */
export const CURSOR_OR_OFFSET: [
  (query: { starting_after?: string | undefined; offset: number }) => boolean,
  { path: string[]; message: string },
] = [
  ({ starting_after, offset }) => starting_after === undefined || offset === 0,
  { path: ["offset"], message: "With starting_after there is no offset: continue after the last entry of the page." },
];

/**
 * Returns the query parameters of a list that is returned whole unless `limit` is sent. Such lists are short: an
 * account has few agents, keys and webhooks.
 */
export const optionalPageQuery = (kind: IdKind) => ({
  limit: wholeNumber(1, 100, LIMIT_BOUNDS)
    .optional()
    .meta({
      description: "Number of entries to return, 1 to 100. If omitted, all of them.",
      wire: { type: "integer", minimum: 1, maximum: 100 },
    }),
  ...cursorQuery(kind),
});

/**
 * Cuts one page out of a list that was read whole, keeping its order.
 *
 * @throws ApiError `invalid_request` if `starting_after` is not in the list
 */
export function pageOf<T extends { id: string }>(
  all: readonly T[],
  { limit = all.length, starting_after }: { limit?: number | undefined; starting_after?: string | undefined },
): { entries: T[]; hasMore: boolean } {
  const at = starting_after === undefined ? -1 : all.findIndex(({ id }) => id === starting_after);
  if (starting_after !== undefined && at < 0) {
    const message = "starting_after is no entry of this list. Take an id from a page of it.";
    throw new ApiError("invalid_request", message, { param: "starting_after" });
  }
  return { entries: all.slice(at + 1, at + 1 + limit), hasMore: all.length > at + 1 + limit };
}

/** Exclusive bounds on `created_at`, ISO 8601 with a zone. */
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

/**
 * Arguments of `refine` for a query with {@link TIMES_QUERY}: refuses a `from` after `to`, which would match nothing.
 */
export const TIMES_IN_ORDER: [check: (query: Times) => boolean, params: { path: string[]; message: string }] = [
  ({ from, to }) => !from || !to || from <= to,
  { path: ["from"], message: "from is later than to. Swap them." },
];
