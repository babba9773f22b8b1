import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/**
 * Whether a column has one of some values. Unlike drizzle's `inArray`, the text of the statement does not depend on
 * their number, so each connection prepares one statement instead of one for each length. Bytes are 0x hex, as in
 * db/schema/columns.ts.
 */
export function anyOf(column: PgColumn, values: Iterable<string | bigint>): SQL {
  const type = column.getSQLType().replace(/serial$/, "int");
  const texts = Array.from(values, (value) => (type === "bytea" ? `\\x${String(value).slice(2)}` : String(value)));
  return sql`${column} = any(${sql.param(texts)}::text[]${type === "text" ? sql.empty() : sql.raw(`::${type}[]`)})`;
}
