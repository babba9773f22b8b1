import { type Column, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

/**
 * Inserts any number of rows, as one array per column. Unlike drizzle's `values`, the statement's text does not depend
 * on the number of rows, so each connection prepares one statement instead of one per length, and no list is too long.
 * A column that only some rows set is null in the others; a column that no row sets gets its default.
 *
 * @throws Error if a column is an array, or has a default that only some rows would take
 */
export function insertRows<T extends PgTable>(table: T, rows: readonly T["$inferInsert"][]): SQL {
  const columns = Object.entries<Column>(getTableColumns(table)).filter(([key]) =>
    rows.some((row) => fieldOf(row, key) !== undefined),
  );
  const arrays = columns.map(([key, column]) => {
    const values = rows.map((row) => fieldOf(row, key));
    if (column.dataType === "array") throw new Error(`${column.name} is an array: insert with values`);
    if (column.hasDefault && values.includes(undefined)) throw new Error(`not every row sets ${column.name}`);
    const texts = values.map((value) => (value == null ? null : textOf(column.mapToDriverValue(value))));
    return sql`${sql.param(texts)}::text[]::${sql.raw(column.getSQLType())}[]`;
  });
  const names = columns.map(([, { name }]) => sql.identifier(name));
  return sql`insert into ${table} (${sql.join(names, sql`, `)}) select * from unnest(${sql.join(arrays, sql`, `)})`;
}

const fieldOf = (row: object, key: string): unknown => (row as Record<string, unknown>)[key];

function textOf(value: unknown): string {
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : String(value);
}
