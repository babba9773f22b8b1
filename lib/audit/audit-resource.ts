import { z } from "zod";
import { hexField, idField, PAGE_FIELDS, timeField } from "@/lib/answer-fields";
import { isoTime } from "@/lib/clock";
import type { AuditPage } from "./list-entries";
import { ACTOR_TYPES } from "./schema";

const AuditEntryResource = z
  .object({
    id: idField("audit", "Identifies the entry."),
    position: z.int().meta({ description: "Its place in the account's chain on the network, from 1 without gaps." }),
    actor: z
      .object({
        type: z.enum(ACTOR_TYPES),
        id: z.string().nullable().meta({ description: "Of the key or session; null for the service itself." }),
        label: z.string().optional().meta({ description: "The key's label, or the handle of the key's agent." }),
      })
      .meta({ description: "Who acted." }),
    action: z.string().meta({ description: "What was done.", examples: ["agent.policy.updated"] }),
    target: z.string().meta({ description: "The id of what was acted on." }),
    before: z.record(z.string(), z.unknown()).nullable().meta({ description: "Changed fields as they were." }),
    after: z.record(z.string(), z.unknown()).nullable().meta({ description: "Changed fields as they are." }),
    client_address: z.string().nullable().meta({ description: "The IP address the request came from." }),
    created_at: timeField("When it was done."),
    hash: hexField(32, "SHA-256 over every other field but labels, the account, the network and the hash before."),
    previous_hash: hexField(32, "The hash of the entry before this one."),
  })
  .meta({ id: "AuditEntry", description: "Who did what, chained by hashes." });

/** A page of the audit log. */
export const AuditList = z
  .object({ entries: z.array(AuditEntryResource), ...PAGE_FIELDS })
  .meta({ id: "AuditList", description: "Entries of the audit log, newest first." });

/**
 * Serialises a page of the audit log. `hash` covers every field an entry was written with, `previous_hash` is that of
 * the entry before it: whoever keeps one can tell whether anything up to it was changed.
 */
export function toAuditList({ entries, limit, offset, hasMore }: AuditPage) {
  return {
    entries: entries.map(({ row, label }) => ({
      id: row.id,
      position: row.position,
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

/** An entry as both APIs show it. */
export type AuditEntryView = ReturnType<typeof toAuditList>["entries"][number];
