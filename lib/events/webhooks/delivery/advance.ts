import type { Hex } from "viem";
import { relaxedSql } from "@/db/client";
import type { ChainId } from "@/lib/base/network";
import type { Health } from "@/lib/events/webhooks/health";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { ATTEMPTS_SO_FAR } from "./attempts-so-far";

/** The state of a delivery after an attempt. */
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
  /** When the next attempt is due; null if none follows. */
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
  /** The request's body, JSON, the same for every attempt; null if the event has been deleted. */
  payload: string | null;
}

/** An endpoint, as its worker needs it. */
export interface DueEndpoint extends Health {
  /** The owner's account. */
  rootId: string;
  chainId: ChainId;
  url: string;
  /** Whether the beginning of each response is stored. */
  storeResponses: boolean;
  secret: Hex | null;
  previousSecret: Hex | null;
  previousUntil: Date | null;
  /** Whether it is enabled and not deleted. */
  live: boolean;
}

/** An endpoint's health at an address. If the endpoint has another address by now, it says nothing about it. */
export interface HealthAt extends Health {
  url: string;
}

interface AdvanceRequest {
  /** The process that calls. */
  worker: string;
  webhookId: string;
  now: Date;
  /** Until when the process holds the endpoint. */
  until: Date;
  results: readonly AttemptResult[];
  /** The endpoint's health after the results; null if it does not change. */
  health: HealthAt | null;
  /** Deliveries that the process is already working on, other than those with results. */
  held: readonly string[];
  limit: number;
  /** Whether nothing is in progress. If nothing is due either, the endpoint is released. */
  idle: boolean;
}

/**
 * Does one step of an endpoint's worker in one statement: writes results, takes or keeps the endpoint, and returns what
 * is due. Returns null if another process holds the endpoint. Results are written even then, but only if the delivery
 * is still at the attempt before them, so each is written once.
 */
export async function advance(request: AdvanceRequest): Promise<{ endpoint: DueEndpoint; due: DueDelivery[] } | null> {
  const { worker, webhookId, now, until, results, health, held, limit, idle } = request;
  const sql = relaxedSql();
  const { columns, outcomes } = packed(results);
  const [row] = await sql`
    with results as materialized (
      select r.id, r.attempt, o.status, o.url, o.code, o.body, o.error, r.duration_ms,
        to_timestamp(r.at / 1000) as at, to_timestamp(r.due_at / 1000) as due_at
      from unnest(
        string_to_array(${columns.id}, ','), string_to_array(${columns.attempt}, ',')::int[],
        string_to_array(${columns.outcome}, ',')::int[], string_to_array(${columns.durationMs}, ',')::int[],
        string_to_array(${columns.at}, ',')::float8[], string_to_array(${columns.dueAt}, ',', '')::float8[]
      ) r(id, attempt, outcome, duration_ms, at, due_at)
      join json_to_recordset(${outcomes}::text::json) o(
        outcome int, status text, url text, code int, body text, error text
      ) on o.outcome = r.outcome
    ), written as (
      update webhook_deliveries d
      set earlier_attempts = ${sql.unsafe(ATTEMPTS_SO_FAR)},
        status = r.status, attempt = r.attempt, url = r.url, response_code = r.code, response_body = r.body,
        error = r.error, duration_ms = r.duration_ms, attempted_at = r.at, due_at = coalesce(r.due_at, d.due_at),
        exhausted_at = case when r.status = 'exhausted' then r.at end
      from results r
      where d.id = r.id and d.attempt = r.attempt - 1 and d.status <> 'succeeded' and d.status <> 'exhausted'
      returning d.id, d.attempt, r.due_at
    ), ended as (
      delete from webhook_queue q using written w where q.delivery_id = w.id and w.due_at is null
    ), put_back as (
      update webhook_queue q set due_at = w.due_at, attempt = w.attempt
      from written w where q.delivery_id = w.id and w.due_at is not null
    ), locked as materialized (
      select id, enabled and deleted_at is null as live, coalesce(url = ${health?.url ?? null}::text, false) as judged,
        case when url = ${health?.url ?? null}::text then ${health?.pausedUntil ?? null}::timestamptz else paused_until end
          as paused_until
      from webhooks
      where id = ${webhookId} and (worker is null or worker = ${worker} or worker_until <= ${now}::timestamptz)
      for update
    ), due as materialized (
      select d.* from locked, lateral (
        select q.* from webhook_queue q
        where q.webhook_id = locked.id and q.due_at <= ${now}::timestamptz
          and q.delivery_id not in (select unnest(string_to_array(${held.join()}, ',')) union all select id from results)
        order by q.due_at
        limit ${limit}::int
      ) d
      where locked.live and coalesce(locked.paused_until <= ${now}::timestamptz, true)
    ), endpoint as (
      update webhooks w
      set worker = case when ${idle} and not exists (select from due) then null else ${worker} end,
        worker_until = ${until}::timestamptz,
        paused_until = locked.paused_until,
        failing_since = case when locked.judged then ${health?.failingSince ?? null}::timestamptz else w.failing_since end,
        gone_since = case when locked.judged then ${health?.goneSince ?? null}::timestamptz else w.gone_since end,
        failures = case when locked.judged then ${health?.failures ?? 0}::int else w.failures end
      from locked
      where w.id = locked.id
      returning w.*, locked.live
    )
    select e.root_id, e.chain_id, e.url, e.store_responses, e.secret, e.previous_secret, e.previous_until, e.live,
      e.failing_since, e.gone_since, e.failures, e.paused_until, f.due, f.payloads
    from endpoint e, (
      select json_agg(json_build_array(d.delivery_id, d.event_id, d.trigger, d.attempt, d.created_at)) as due,
        string_agg(
          coalesce(coalesce(
            (select v.payload from events v where v.id = d.event_id),
            case when d.trigger = 'test' then (select t.payload from webhook_deliveries t where t.id = d.delivery_id) end
          )::text, ''), E'\\n'
        ) as payloads
      from due d
    ) f`;
  await endReplayed(webhookId, results);
  if (!row) return null;
  return {
    endpoint: {
      rootId: row.root_id,
      chainId: row.chain_id,
      url: row.url,
      storeResponses: row.store_responses,
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

/** Packs results into few parameters: columns as text, and each distinct outcome once. */
function packed(results: readonly AttemptResult[]) {
  const indexes = new Map<string, number>();
  const outcomes: object[] = [];
  const outcomeOf = ({ status, url, code, body, error }: AttemptResult): number => {
    const key = JSON.stringify([status, url, code, body, error]);
    const known = indexes.get(key);
    if (known !== undefined) return known;
    const outcome = outcomes.length;
    indexes.set(key, outcome);
    outcomes.push({ outcome, status, url, code, body, error });
    return outcome;
  };
  const column = (value: (result: AttemptResult) => string | number | undefined) => results.map(value).join();
  const columns = {
    id: column(({ id }) => id),
    attempt: column(({ attempt }) => attempt),
    outcome: column(outcomeOf),
    durationMs: column(({ durationMs }) => durationMs),
    at: column(({ at }) => at.getTime()),
    dueAt: column(({ dueAt }) => dueAt?.getTime()),
  };
  return { columns, outcomes: JSON.stringify(outcomes) };
}

/**
 * Parses payloads, which come separately, one per line. PostgreSQL's JSON has no line breaks, so this needs no
 * escaping.
 */
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

/** Ends an event's remaining attempts once a replay of it was delivered. */
async function endReplayed(webhookId: string, results: readonly AttemptResult[]): Promise<void> {
  const arrived = results.filter(({ trigger, status }) => trigger === "replay" && status === "succeeded");
  if (arrived.length === 0) return;
  await relaxedSql()`
    with replaced as (
      update webhook_deliveries
      set status = 'exhausted', exhausted_at = now(),
        error = coalesce(error, 'replaced: a replay of the event arrived')
      where event_id = any(${arrived.map(({ eventId }) => eventId)}::text[]) and webhook_id = ${webhookId}
        and status in ('pending', 'failed')
      returning id
    )
    delete from webhook_queue q using replaced r where q.delivery_id = r.id`;
}
