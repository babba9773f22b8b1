import type { Hex } from "viem";
import { relaxedSql } from "@/db/client";
import { toHex } from "@/lib/ledger/bytes";
import type { ChainId } from "@/lib/network";
import type { Health } from "./schedule";

/** How a delivery stands after an attempt. */
export interface AttemptResult {
  id: string;
  eventId: string;
  trigger: "automatic" | "replay" | "test";
  attempt: number;
  status: "succeeded" | "failed" | "exhausted";
  url: string;
  code: number | null;
  body: string | null;
  error: string | null;
  durationMs: number;
  at: Date;
  /** The next attempt; null: none. */
  dueAt: Date | null;
}

/** A delivery to attempt now. */
export interface DueDelivery {
  id: string;
  eventId: string;
  trigger: "automatic" | "replay" | "test";
  /** Attempts made so far. */
  attempt: number;
  createdAt: Date;
  /** The request's body, JSON, the same every time; null when the event is no longer kept. */
  payload: string | null;
}

/** An endpoint as its pump needs it. */
export interface PumpedEndpoint extends Health {
  chainId: ChainId;
  url: string;
  secret: Hex | null;
  previousSecret: Hex | null;
  previousUntil: Date | null;
  /** Enabled and not deleted. */
  live: boolean;
}

export interface AdvanceRequest {
  /** The process that asks. */
  pump: string;
  webhookId: string;
  now: Date;
  /** Until when it holds the endpoint. */
  until: Date;
  results: readonly AttemptResult[];
  /** Set: what the results made of the endpoint's health. */
  health: Health | null;
  /** Deliveries it already works on, beside those with results. */
  held: readonly string[];
  limit: number;
  /** Nothing is under way: without anything due, let go of the endpoint. */
  idle: boolean;
}

/**
 * One step of an endpoint's pump, one statement: writes results, takes or keeps the endpoint, answers what is due. Null
 * when another process holds it; results are written all the same, each once: only onto the attempt it followed.
 */
export async function advance(
  request: AdvanceRequest,
): Promise<{ endpoint: PumpedEndpoint; due: DueDelivery[] } | null> {
  const { pump, webhookId, now, until, results, health, held, limit, idle } = request;
  const sql = relaxedSql();
  // Columns, one array each.
  const each = <T>(field: (result: AttemptResult) => T): T[] => results.map(field);
  const [row] = await sql`
    with results as materialized (
      select * from unnest(
        ${each(({ id }) => id)}::text[], ${each(({ attempt }) => attempt)}::int[],
        ${each(({ status }) => status)}::text[], ${each(({ url }) => url)}::text[],
        ${each(({ code }) => code)}::int[], ${each(({ body }) => body)}::text[], ${each(({ error }) => error)}::text[],
        ${each(({ durationMs }) => durationMs)}::int[], ${each(({ at }) => at.toISOString())}::timestamptz[],
        ${each(({ dueAt }) => dueAt?.toISOString() ?? null)}::timestamptz[]
      ) r(id, attempt, status, url, code, body, error, duration_ms, at, due_at)
    ), written as (
      update webhook_deliveries d
      set status = r.status, attempt = r.attempt, url = r.url, response_code = r.code, response_body = r.body,
        error = r.error, duration_ms = r.duration_ms, attempted_at = r.at, due_at = coalesce(r.due_at, d.due_at)
      from results r
      where d.id = r.id and d.attempt = r.attempt - 1 and d.status <> 'succeeded' and d.status <> 'exhausted'
    ), locked as materialized (
      select id, enabled and deleted_at is null as live,
        case when ${health !== null} then ${health?.pausedUntil ?? null}::timestamptz else paused_until end as paused_until
      from webhooks
      where id = ${webhookId} and (pump is null or pump = ${pump} or pump_until <= ${now}::timestamptz)
      for update
    ), due as materialized (
      select d.* from locked, lateral (
        select o.id, o.event_id, o.trigger, o.attempt, o.created_at, o.payload from webhook_deliveries o
        where o.webhook_id = locked.id and o.status in ('pending', 'failed') and o.due_at <= ${now}::timestamptz
          and o.id not in (select unnest(string_to_array(${held.join()}, ',')) union all select id from results)
        order by o.due_at
        limit ${limit}::int
      ) d
      where locked.live and coalesce(locked.paused_until <= ${now}::timestamptz, true)
    ), endpoint as (
      update webhooks w
      set pump = case when ${idle} and not exists (select from due) then null else ${pump} end,
        pump_until = ${until}::timestamptz,
        paused_until = locked.paused_until,
        failing_since = case when ${health !== null} then ${health?.failingSince ?? null}::timestamptz else w.failing_since end,
        gone_since = case when ${health !== null} then ${health?.goneSince ?? null}::timestamptz else w.gone_since end,
        failures = case when ${health !== null} then ${health?.failures ?? 0}::int else w.failures end
      from locked
      where w.id = locked.id
      returning w.*, locked.live
    )
    select e.chain_id, e.url, e.secret, e.previous_secret, e.previous_until, e.live, e.failing_since, e.gone_since,
      e.failures, e.paused_until, f.due, f.payloads
    from endpoint e, (
      select json_agg(json_build_array(d.id, d.event_id, d.trigger, d.attempt, d.created_at)) as due,
        string_agg(
          coalesce(coalesce(d.payload, (select v.payload from events v where v.id = d.event_id))::text, ''), E'\\n'
        ) as payloads
      from due d
    ) f`;
  await endReplayed(webhookId, results);
  if (!row) return null;
  return {
    endpoint: {
      chainId: row.chain_id,
      url: row.url,
      secret: row.secret && toHex(row.secret),
      previousSecret: row.previous_secret && toHex(row.previous_secret),
      previousUntil: row.previous_until,
      live: row.live,
      failingSince: row.failing_since,
      goneSince: row.gone_since,
      failures: row.failures,
      pausedUntil: row.paused_until,
    },
    due: dueOf(row.due ?? [], row.payloads ?? ""),
  };
}

type DueRow = [id: string, eventId: string, trigger: DueDelivery["trigger"], attempt: number, createdAt: string];

/** Payloads come apart from the rest, one a line: JSON of PostgreSQL has no line breaks, and needs no escaping so. */
function dueOf(rows: readonly DueRow[], payloads: string): DueDelivery[] {
  const texts = payloads.split("\n");
  return rows.map(([id, eventId, trigger, attempt, createdAt], i) => ({
    id,
    eventId,
    trigger,
    attempt,
    createdAt: new Date(createdAt),
    payload: texts[i] || null,
  }));
}

/** A replay that arrived ends what its event still has to come. */
async function endReplayed(webhookId: string, results: readonly AttemptResult[]): Promise<void> {
  const arrived = results.filter(({ trigger, status }) => trigger === "replay" && status === "succeeded");
  if (arrived.length === 0) return;
  await relaxedSql()`
    update webhook_deliveries
    set status = 'exhausted', error = coalesce(error, 'replaced: a replay of the event arrived')
    where event_id = any(${arrived.map(({ eventId }) => eventId)}::text[]) and webhook_id = ${webhookId}
      and status in ('pending', 'failed')`;
}
