import { and, eq, inArray } from "drizzle-orm";
import { db } from "@/db/client";
import { auditLog } from "@/db/schema/audit";
import type { Context } from "@/lib/base/context/context";
import { labelsOfKeys } from "@/lib/events/audit/list-entries";

/** Who decided on a payment. `label` is the key's label, or the handle of its agent with `@`. */
export interface NamedDecider {
  type: "key" | "session" | "agent" | "system";
  /** Id of the key or session; null: the service, when the window closed. */
  id: string | null;
  label?: string;
}

const ACTIONS = ["approved", "rejected", "expired"].map((status) => `agent.transaction.${status}`);

/**
 * Returns who decided on each of these held payments of the account, according to the audit log. Payments that still
 * wait are left out.
 */
export async function decidersOf(
  { account, chainId }: Context,
  ids: readonly string[],
): Promise<Map<string, NamedDecider>> {
  if (ids.length === 0) return new Map();
  const entries = await db()
    .select({ target: auditLog.target, type: auditLog.actorType, id: auditLog.actorId })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.rootId, account.rootId),
        eq(auditLog.chainId, chainId),
        inArray(auditLog.target, ids),
        inArray(auditLog.action, ACTIONS),
      ),
    );
  const labels = await labelsOfKeys(entries.flatMap(({ id, type }) => (id && type !== "session" ? [id] : [])));
  return new Map(entries.map(({ target, type, id }) => [target, { type, id, label: labels.get(id ?? "") }]));
}
