import { and, asc, desc, eq, gt, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { hidden } from "@/db/hidden";
import { events } from "@/db/schema/events";
import { startAfter } from "@/db/start-after";
import type { Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { ID_SLACK_MS, idAt, idTime } from "@/lib/base/ids";
import { type EventRow, eventsOwner } from "./get-event";
import { HORIZON } from "./horizon";
import { FIRST_CURSOR, type ListEventsQuery } from "./schema";

export interface EventPage {
  events: Pick<EventRow, "payload">[];
  limit: number;
  offset: number;
  hasMore: boolean;
}

/**
 * Returns the events of the account and its agents: newest first; with `after` as a stream, oldest first.
 *
 * @throws ApiError `invalid_request` if `after` or `starting_after` is not one of the account's events
 */
export async function listEvents(ctx: Context, query: ListEventsQuery): Promise<EventPage> {
  const { limit, offset, after } = query;
  const rows = await (after === undefined
    ? pageOfEvents(ctx, query, await startAfter(LIST, eventsOf(ctx), query.starting_after))
    : streamOfEvents(ctx, query, await positionOf(ctx, after)));
  return { events: rows.slice(0, limit), limit, offset, hasMore: rows.length > limit };
}

const LIST = { order: [events.createdAt, events.id], id: events.id, first: "newest" } as const;

/** Bounds on ids let PostgreSQL skip whole partitions. */
const notBefore = (ms: number) => gte(events.id, idAt("event", ms - ID_SLACK_MS));
const notAfter = (ms: number) => lt(events.id, idAt("event", ms + ID_SLACK_MS));

function eventsOf(ctx: Context): SQL | undefined {
  const { rootId, chainId } = eventsOwner(ctx);
  return and(eq(events.rootId, hidden(rootId)), eq(events.chainId, chainId));
}

function filters(ctx: Context, { type, from, to }: ListEventsQuery): (SQL | undefined)[] {
  return [
    eventsOf(ctx),
    ...(type ? [inArray(events.type, type)] : []),
    ...(from ? [gt(events.createdAt, from), notBefore(from.getTime())] : []),
    ...(to ? [lt(events.createdAt, to), notAfter(to.getTime())] : []),
  ];
}

/** Returns the query for a page and one event more, newest first. */
export function pageOfEvents(ctx: Context, query: ListEventsQuery, after?: SQL) {
  const { starting_after: last } = query;
  return db()
    .select({ payload: events.payload })
    .from(events)
    .where(and(...filters(ctx, query), after, last === undefined ? undefined : notAfter(idTime("event", last))))
    .orderBy(desc(events.createdAt), desc(events.id))
    .limit(query.limit + 1)
    .offset(query.offset);
}

/** A reader's position in the order of events. */
interface Position {
  createdAt: Date;
  id: string;
}

/** Returns the query for what follows a position and one event more, oldest first. */
export function streamOfEvents(ctx: Context, query: ListEventsQuery, after: Position) {
  return db()
    .select({ payload: events.payload })
    .from(events)
    .where(
      and(
        ...filters(ctx, query),
        sql`(${events.createdAt}, ${events.id}) > (${after.createdAt.toISOString()}::timestamptz, ${after.id})`,
        notBefore(after.createdAt.getTime()),
        sql`${events.createdAt} < ${HORIZON}`,
      ),
    )
    .orderBy(asc(events.createdAt), asc(events.id))
    .limit(query.limit + 1);
}

async function positionOf(ctx: Context, id: string): Promise<Position> {
  if (id === FIRST_CURSOR) return { createdAt: new Date(0), id };
  // Filter by id only, as `startAfter` does: PostgreSQL might use an index over everything of the caller.
  const [row] = await db()
    .select({ createdAt: events.createdAt, id: events.id, isMine: sql<boolean>`(${eventsOf(ctx)})` })
    .from(events)
    .where(eq(events.id, id));
  if (row?.isMine) return row;
  throw new ApiError("invalid_request", "after is no event of yours, or no longer kept. Begin with a newer one.", {
    param: "after",
  });
}
