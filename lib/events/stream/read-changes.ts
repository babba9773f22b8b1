import { and, asc, eq, gt, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { auditHeads, auditLog } from "@/db/schema/audit";
import { events } from "@/db/schema/events";
import { ID_SLACK_MS, idAt } from "@/lib/base/ids";
import type { ChainId } from "@/lib/base/network";
import { HORIZON } from "@/lib/events/horizon";
import { type Cursor, cursorAt } from "./cursor";

/** How many changes or events are read at once. */
export const BATCH = 100;

/** The account and network whose changes are read. */
export interface StreamOwner {
  rootId: string;
  chainId: ChainId;
}

/** An entry of the audit log, with the fields that a stream shows. */
interface StreamChange {
  position: number;
  action: string;
  target: string;
  createdAt: Date;
}

/** An event, with the fields that a stream shows. Never contains an amount. */
interface StreamedEvent {
  id: string;
  type: string;
  /** The transfer, held payment or policy that it is about. */
  objectId: string | null;
  /** Milliseconds since 1970. */
  time: number;
}

/** Returns the cursor for a new stream: before anything that may still be committed. */
export async function currentCursor({ rootId, chainId }: StreamOwner): Promise<Cursor> {
  const [row] = await db().execute<{ position: string | null; horizon: number }>(sql`
    select floor(extract(epoch from ${HORIZON}) * 1000)::float8 as horizon, (
      select ${auditHeads.position} from ${auditHeads}
      where ${auditHeads.rootId} = ${rootId} and ${auditHeads.chainId} = ${chainId}
    ) as position`);
  return cursorAt(Number(row?.position ?? 0), row?.horizon ?? 0);
}

/**
 * Returns the changes after a position, oldest first. A writer locks the end of the audit chain until it commits, so no
 * change ever appears before one that is already visible.
 */
export async function changesAfter({ rootId, chainId }: StreamOwner, position: number): Promise<StreamChange[]> {
  return db()
    .select({
      position: auditLog.position,
      action: auditLog.action,
      target: auditLog.target,
      createdAt: auditLog.createdAt,
    })
    .from(auditLog)
    .where(and(eq(auditLog.rootId, rootId), eq(auditLog.chainId, chainId), gt(auditLog.position, position)))
    .orderBy(asc(auditLog.position))
    .limit(BATCH);
}

/**
 * Returns the events after a cursor that may be shown, oldest first, with the database's time and the horizon up to
 * which no older event can appear.
 */
export async function eventsAfter(
  { rootId, chainId }: StreamOwner,
  { eventTime, eventId }: Cursor,
): Promise<{ events: StreamedEvent[]; now: number; horizon: number }> {
  const at = new Date(eventTime).toISOString();
  const rows = await db().execute<{
    id: string | null;
    type: string;
    object_id: string | null;
    time: number;
    now: number;
    horizon: number;
  }>(sql`
    with horizon as materialized (select ${HORIZON} as at)
    select e.id, e.type, e.object_id, extract(epoch from e.created_at)::float8 * 1000 as time,
      extract(epoch from now())::float8 * 1000 as now, extract(epoch from horizon.at)::float8 * 1000 as horizon
    from horizon left join lateral (
      select id, type, created_at, coalesce(payload->>'transfer_id', payload->>'transaction_id', payload->>'policy_id')
        as object_id
      from ${events}
      where root_id = ${rootId} and chain_id = ${chainId} and (created_at, id) > (${at}::timestamptz, ${eventId})
        and id >= ${idAt("event", eventTime - ID_SLACK_MS)}
        and created_at < horizon.at
      order by created_at, id
      limit ${BATCH}
    ) e on true`);
  const [first] = rows;
  return {
    events: rows.flatMap(({ id, type, object_id: objectId, time }) =>
      id === null ? [] : [{ id, type, objectId, time: Math.round(time) }],
    ),
    now: first?.now ?? 0,
    horizon: first?.horizon ?? 0,
  };
}
