import { z } from "zod";
import { ID_PREFIX, type IdKind } from "@/lib/ids";

/*
 * Fields of responses. These schemas type the serialisers and describe the responses in /openapi.json; nothing is
 * parsed with them. `wire` in a schema's metadata stands in the document where zod has no words for what is written.
 */

/** An id of a kind, with its prefix. */
export function idField(kind: IdKind, description: string) {
  return z.string().meta({
    description,
    wire: { type: "string", pattern: `^${ID_PREFIX[kind]}[0-7][0-9A-HJKMNP-TV-Z]{25}$` },
  });
}

/** ISO 8601, UTC, milliseconds. */
export function timeField(description: string) {
  return z.string().meta({ description, wire: { type: "string", format: "date-time" } });
}

/** As {@link timeField}, null until it has happened. */
export function timeOrNull(description: string) {
  return z
    .string()
    .nullable()
    .meta({ description, wire: { type: ["string", "null"], format: "date-time" } });
}

/** 0x-prefixed hex of so many bytes. */
export function hexField(bytes: number, description: string) {
  return z
    .templateLiteral(["0x", z.string()])
    .meta({ description, wire: { type: "string", pattern: `^0x[0-9a-fA-F]{${2 * bytes}}$` } });
}

/** A handle with its @; an agent's is `@owner/agent`. */
export function handleField(description: string) {
  return z.string().meta({ description, wire: { type: "string", pattern: "^@[a-z0-9._-]+(/[a-z0-9_-]+)?$" } });
}

/** What a list returns beside its entries that is whole unless `limit` is sent. */
export const HAS_MORE_FIELD = z.boolean().meta({ description: "Whether more entries follow this page." });

/** What every list returns beside its entries. */
export const PAGE_FIELDS = {
  limit: z
    .number()
    .meta({ description: "Number of entries requested.", wire: { type: "integer", minimum: 1, maximum: 100 } }),
  offset: z.number().meta({ description: "Number of entries skipped.", wire: { type: "integer", minimum: 0 } }),
  has_more: HAS_MORE_FIELD,
};
