import { z } from "zod";
import { isoTime } from "@/lib/base/clock";
import { hexField, idField, PAGE_FIELDS, timeField } from "@/lib/base/response-fields";
import type { AuditPage } from "./list-entries";
import { ACTOR_TYPES } from "./schema";

const AuditEntryResource = z
  .object({
    id: idField("audit", "Identifies the entry."),
    position: z
      .int()
      .meta({ description: "Number of the entry in the account's log on this network, from 1 without gaps." }),
    actor: z
      .object({
        type: z.enum(ACTOR_TYPES).meta({
          description:
            "`key`: an API key of the account. `session`: its owner, signed in with the wallet. `agent`: an API key of an agent. `system`: Halcyon itself.",
        }),
        id: z
          .string()
          .nullable()
          .meta({ description: "Id of the API key or session; null when Halcyon itself acted." }),
        label: z.string().optional().meta({ description: "The key's label, or the handle of the key's agent." }),
      })
      .meta({ description: "Who acted." }),
    action: z.string().meta({ description: "What happened.", examples: ["agent.policy.updated"] }),
    target: z.string().meta({ description: "Id of the object that was changed." }),
    before: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: "The changed fields before; null for a new object." }),
    after: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: "The changed fields after; null for a deleted object." }),
    client_address: z.string().nullable().meta({ description: "The IP address the request came from." }),
    created_at: timeField("When it happened."),
    hash: hexField(32, "SHA-256 over the account, the network, the previous hash and every other field except labels."),
    previous_hash: hexField(32, "The hash of the entry before this one."),
  })
  .meta({ id: "AuditEntry", description: "A change and who made it, linked to the entry before it by a hash." });

/** A page of the audit log. */
export const AuditList = z
  .object({
    entries: z.array(AuditEntryResource).meta({ description: "The entries of this page." }),
    ...PAGE_FIELDS,
    kept_from: z.int().meta({
      description:
        "Position of the oldest entry that is kept, for a check of the whole chain; 1 until a month is removed.",
    }),
  })
  .meta({ id: "AuditList", description: "Entries of the audit log, newest first." });

/**
 * Serializes a page of the audit log. `hash` covers every field that an entry was written with, and `previous_hash` is
 * the hash of the entry before it. Someone who keeps one hash can detect later changes to anything before it.
 */
export function toAuditList({ entries, limit, offset, hasMore, keptFrom }: AuditPage) {
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
    kept_from: keptFrom,
  };
}

/** An entry as the API shows it. */
export type AuditEntryView = ReturnType<typeof toAuditList>["entries"][number];
