import { and, desc, eq, gte, lt, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { hidden } from "@/db/hidden";
import { apiRequests } from "@/db/schema/api-requests";
import { apiKeys } from "@/db/schema/keys";
import type { Context } from "@/lib/base/context/context";
import { idAt } from "@/lib/base/ids";
import { REQUEST_LOG_DAYS } from "@/lib/base/request-log-limits";
import type { ListRequestsQuery } from "./schema";

const DAY_MS = 86_400_000;

/** Literals, not parameters, so that the partial indexes serve these filters. */
const UNSUCCESSFUL = sql`${apiRequests.status} >= 400`;
const WRITE = sql`${apiRequests.method} <> 'GET'`;

/** Returns the bounds of a status: of all, of those refused, or of those that failed at the service. */
function statusFilter(outcome: ListRequestsQuery["outcome"]) {
  if (outcome === undefined) return [];
  if (outcome === "succeeded") return [lt(apiRequests.status, 400)];
  if (outcome === "refused") return [UNSUCCESSFUL, lt(apiRequests.status, 500)];
  return [UNSUCCESSFUL, gte(apiRequests.status, 500)];
}

function methodFilter(method: ListRequestsQuery["method"]) {
  if (method === undefined) return [];
  return [eq(apiRequests.method, method), ...(method === "GET" ? [] : [WRITE])];
}

/**
 * Lists the requests of the account's and its agents' keys in the last days, newest first. A page may begin after a
 * request that is no longer kept: ids sort by time.
 */
export async function listRequests(ctx: Context, query: ListRequestsQuery, now = new Date()) {
  const { limit, offset } = query;
  const rows = await requestsAt(ctx, query, now);
  return { rows: rows.slice(0, limit), limit, offset, hasMore: rows.length > limit };
}

/** A page of the log. */
export type RequestsPage = Awaited<ReturnType<typeof listRequests>>;

/** Returns the query for a page and one request more. */
function requestsAt(ctx: Context, query: ListRequestsQuery, now: Date) {
  const { account, chainId } = ctx;
  const { limit, offset, starting_after: after, method, outcome, key } = query;
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
    .limit(limit + 1)
    .offset(offset);
}
