import { and, desc, eq, gte, lt, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { hidden } from "@/db/hidden";
import { apiRequests } from "@/db/schema/api-requests";
import { apiKeys } from "@/db/schema/keys";
import { isoTime } from "@/lib/base/clock";
import type { SessionContext } from "@/lib/base/context/context";
import { idAt, idTime } from "@/lib/base/ids";
import { REQUEST_LOG_DAYS } from "@/lib/base/request-log-limits";

/** Which requests to list. */
export interface RequestsQuery {
  method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** By status: below 400, below 500, and above. */
  outcome?: "succeeded" | "refused" | "failed";
  /** The id of a key. */
  key?: string;
  limit: number;
  /** Only requests before this one. */
  starting_after?: string;
}

const DAY_MS = 86_400_000;

/** Literals, not parameters, so that the partial indexes serve these filters. */
const UNSUCCESSFUL = sql`${apiRequests.status} >= 400`;
const WRITE = sql`${apiRequests.method} <> 'GET'`;

/** Returns the bounds of a status: of all, of those refused, or of those that failed at the service. */
function statusFilter(outcome: RequestsQuery["outcome"]) {
  if (outcome === undefined) return [];
  if (outcome === "succeeded") return [lt(apiRequests.status, 400)];
  if (outcome === "refused") return [UNSUCCESSFUL, lt(apiRequests.status, 500)];
  return [UNSUCCESSFUL, gte(apiRequests.status, 500)];
}

function methodFilter(method: RequestsQuery["method"]) {
  if (method === undefined) return [];
  return [eq(apiRequests.method, method), ...(method === "GET" ? [] : [WRITE])];
}

/** Lists the requests of the account's and its agents' keys in the last days, newest first. */
export async function listRequests(ctx: SessionContext, query: RequestsQuery, now = new Date()) {
  const { limit } = query;
  const rows = await requestsAt(ctx, query, now);
  return { requests: rows.slice(0, limit).map(toLoggedRequest), limit, hasMore: rows.length > limit };
}

/** Returns the query for a page and one request more. */
function requestsAt(ctx: SessionContext, query: RequestsQuery, now = new Date()) {
  const { account, chainId } = ctx;
  const { limit, starting_after: after, method, outcome, key } = query;
  return db()
    .select({
      id: apiRequests.id,
      keyId: apiRequests.keyId,
      keyLabel: apiKeys.label,
      method: apiRequests.method,
      route: apiRequests.route,
      status: apiRequests.status,
      errorCode: apiRequests.errorCode,
      durationMs: apiRequests.durationMs,
    })
    .from(apiRequests)
    .leftJoin(apiKeys, eq(apiKeys.id, apiRequests.keyId))
    .where(
      and(
        eq(apiRequests.rootId, hidden(account.rootId)),
        eq(apiRequests.chainId, chainId),
        gte(apiRequests.id, idAt("request", now.getTime() - REQUEST_LOG_DAYS * DAY_MS)),
        ...(after ? [lt(apiRequests.id, after)] : []),
        ...methodFilter(method),
        ...(key ? [eq(apiRequests.keyId, key)] : []),
        ...statusFilter(outcome),
      ),
    )
    .orderBy(desc(apiRequests.id))
    .limit(limit + 1);
}

type Row = Awaited<ReturnType<typeof requestsAt>>[number];

/** Serializes a request, field by field. */
function toLoggedRequest({ id, keyId, keyLabel, method, route, status, errorCode, durationMs }: Row) {
  return {
    request_id: id,
    created_at: isoTime(new Date(idTime("request", id))),
    /** Null for an application's token. */
    key_label: keyLabel,
    key_id: keyId,
    method,
    route,
    status,
    error_code: errorCode,
    duration_ms: durationMs,
  };
}

/** A request with an API key, as pages show it. */
export type LoggedRequestResource = ReturnType<typeof toLoggedRequest>;
