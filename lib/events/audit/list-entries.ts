import { and, desc, eq, gt, lt, ne, type SQL, sql } from "drizzle-orm";
import { anyOf } from "@/db/any-of";
import { db } from "@/db/client";
import { hidden } from "@/db/hidden";
import { accounts } from "@/db/schema/accounts";
import { auditCheckpoints, auditLog } from "@/db/schema/audit";
import { apiKeys } from "@/db/schema/keys";
import { startAfter } from "@/db/start-after";
import type { Context } from "@/lib/base/context/context";
import { ID_SLACK_MS } from "@/lib/base/ids";
import type { ListAuditQuery } from "./schema";

type AuditRow = typeof auditLog.$inferSelect;

export interface AuditPage {
  /** `label` is the label of the key that acted; for an agent's key, the agent's handle with `@`. */
  entries: { row: AuditRow; label?: string }[];
  limit: number;
  offset: number;
  hasMore: boolean;
  /** Position of the oldest entry that is kept. */
  keptFrom: number;
}

const LIST = { order: [auditLog.position], id: auditLog.id, first: "newest" } as const;

/*
 * An entry's time and its position in the chain differ in order by less than ID_SLACK_MS. So the entry nearest to a time
 * bounds the positions, and a page reads the entries it shows and not all that were written before or since.
 */
const notBefore = (mine: SQL | undefined, from: Date) => sql`${auditLog.position} > coalesce((
  select ${auditLog.position} from ${auditLog} where ${mine} and ${auditLog.createdAt} < ${slack(from, -ID_SLACK_MS)}
  order by ${auditLog.createdAt} desc limit 1), 0)`;
const notAfter = (mine: SQL | undefined, to: Date) => sql`${auditLog.position} < coalesce((
  select ${auditLog.position} from ${auditLog} where ${mine} and ${auditLog.createdAt} > ${slack(to, ID_SLACK_MS)}
  order by ${auditLog.createdAt} limit 1), ${Number.MAX_SAFE_INTEGER}::bigint)`;
const slack = (time: Date, ms: number) => sql`${new Date(time.getTime() + ms).toISOString()}::timestamptz`;

/**
 * Returns a page of the owner's audit log on the network, newest first, and the position of the oldest entry that must
 * still exist: earlier ones were deleted with their month.
 */
export async function listAuditEntries(ctx: Context, query: ListAuditQuery): Promise<AuditPage> {
  const { rootId, chainId, position } = auditCheckpoints;
  const [page, [left]] = await Promise.all([
    listEntries(ctx, query),
    db()
      .select({ position })
      .from(auditCheckpoints)
      .where(and(eq(rootId, ctx.account.rootId), eq(chainId, ctx.chainId))),
  ]);
  return { ...page, keptFrom: (left?.position ?? 0) + 1 };
}

async function listEntries(ctx: Context, query: ListAuditQuery): Promise<Omit<AuditPage, "keptFrom">> {
  const { limit, offset, from, to, action, actor, target, sign_ins } = query;
  const mine = and(eq(auditLog.rootId, hidden(ctx.account.rootId)), eq(auditLog.chainId, ctx.chainId));
  const after = await startAfter(LIST, mine, query.starting_after);
  const rows = await db()
    .select()
    .from(auditLog)
    .where(
      and(
        mine,
        after,
        ...(sign_ins === "hidden" ? [ne(auditLog.action, "session.created")] : []),
        ...(action ? [eq(auditLog.action, action)] : []),
        ...(target ? [eq(auditLog.target, target)] : []),
        ...(actor ? [eq(auditLog.actorType, actor)] : []),
        ...(from ? [gt(auditLog.createdAt, from), notBefore(mine, from)] : []),
        ...(to ? [lt(auditLog.createdAt, to), notAfter(mine, to)] : []),
      ),
    )
    .orderBy(desc(auditLog.position))
    .limit(limit + 1)
    .offset(offset);
  const shown = rows.slice(0, limit);
  const labels = await labelsOfKeys(
    shown.flatMap(({ actorId, actorType }) => (actorId && actorType !== "session" ? [actorId] : [])),
  );
  return {
    entries: shown.map((row) => ({ row, label: labels.get(row.actorId ?? "") })),
    limit,
    offset,
    hasMore: rows.length > limit,
  };
}

/** Returns display names of keys by id: the key's label; for an agent's key, the agent's handle with `@`. */
export async function labelsOfKeys(keyIds: string[]): Promise<Map<string, string>> {
  if (keyIds.length === 0) return new Map();
  const keys = await db()
    .select({ id: apiKeys.id, label: apiKeys.label, agent: accounts.handle })
    .from(apiKeys)
    .leftJoin(accounts, eq(accounts.id, apiKeys.agentId))
    .where(anyOf(apiKeys.id, new Set(keyIds)));
  return new Map(keys.map(({ id, label, agent }) => [id, agent === null ? label : `@${agent}`]));
}
