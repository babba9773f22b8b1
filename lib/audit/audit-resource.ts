import { isoTime } from "@/lib/clock";
import type { AuditPage } from "./list-entries";

/**
 * Serialises a page of the audit log. `hash` covers every field an entry was written with, `previous_hash` is that of
 * the entry before it: whoever keeps one can tell whether anything up to it was changed.
 */
export function toAuditList({ entries, limit, offset, hasMore }: AuditPage) {
  return {
    entries: entries.map(({ row, label }) => ({
      id: row.id,
      actor: { type: row.actorType, id: row.actorId, ...(label === undefined ? {} : { label }) },
      action: row.action,
      target: row.target,
      before: row.before,
      after: row.after,
      client_address: row.clientAddress,
      created_at: isoTime(row.createdAt),
      hash: row.hash,
      previous_hash: row.previousHash,
    })),
    limit,
    offset,
    has_more: hasMore,
  };
}
