import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/**
 * Returns the condition that a column equals one of some values. Unlike drizzle's `inArray`, the statement's text does
 * not depend on how many there are, so each connection prepares one statement instead of one per length. Bytes are 0x
 * hex, as in db/schema/columns.ts.
 */
export function anyOf(column: PgColumn, values: Iterable<string | bigint>): SQL {
  const type = column.getSQLType().replace(/serial$/, "int");
  const texts = Array.from(values, (value) => (type === "bytea" ? `\\x${String(value).slice(2)}` : String(value)));
  // The values are hidden from the planner, which would otherwise plan again for each number of them.
  return sql`${column} = any((select ${sql.param(texts)}::text[])::${sql.raw(type)}[])`;
}
