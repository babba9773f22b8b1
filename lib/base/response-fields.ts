import { z } from "zod";
import { ID_PREFIX, type IdKind } from "@/lib/base/ids";

/*
 * Fields of responses. These schemas type the serializers and describe the responses in /openapi.json; they parse
 * nothing. `wire` in a schema's metadata overrides the JSON schema where zod can't express it.
 */

/** Returns the schema of an id, with the prefix of its kind. */
export function idField(kind: IdKind, description: string) {
  return z.string().meta({
    description,
    wire: { type: "string", pattern: `^${ID_PREFIX[kind]}[0-7][0-9A-HJKMNP-TV-Z]{25}$` },
  });
}

/** Returns the schema of a time: ISO 8601, UTC, milliseconds. */
export function timeField(description: string) {
  return z.string().meta({ description, wire: { type: "string", format: "date-time" } });
}

/** Returns the schema of a time that is null until it has happened. */
export function timeOrNull(description: string) {
  return z
    .string()
    .nullable()
    .meta({ description, wire: { type: ["string", "null"], format: "date-time" } });
}

/** Returns the schema of 0x-prefixed hex of this many bytes. */
export function hexField(bytes: number, description: string) {
  return z
    .templateLiteral(["0x", z.string()])
    .meta({ description, wire: { type: "string", pattern: `^0x[0-9a-fA-F]{${2 * bytes}}$` } });
}

/** Returns the schema of a handle with its `@`; an agent's is `@owner/agent`. */
export function handleField(description: string) {
  return z.string().meta({ description, wire: { type: "string", pattern: "^@[a-z0-9._-]+(/[a-z0-9_-]+)?$" } });
}

/** What a list returns besides its entries if it is whole unless `limit` is sent. */
export const HAS_MORE_FIELD = z.boolean().meta({ description: "Whether more entries follow this page." });

/** What every other list returns besides its entries. */
export const PAGE_FIELDS = {
  limit: z
    .number()
    .meta({ description: "Number of entries requested.", wire: { type: "integer", minimum: 1, maximum: 100 } }),
  offset: z.number().meta({ description: "Number of entries skipped.", wire: { type: "integer", minimum: 0 } }),
  has_more: HAS_MORE_FIELD,
};
