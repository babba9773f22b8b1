import { getTableColumns, getTableName, is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import type postgres from "postgres";
import * as schema from "@/db/schema/index";

/** One way to write a column. */
export interface Writing {
  table: string;
  column: string;
  how: string;
  statement: string;
}

interface Column {
  name: string;
  /** The PostgreSQL type. */
  type: string;
  nullable: boolean;
  values: readonly string[];
}

const TABLES = (Object.values(schema) as unknown[]).filter((one): one is PgTable => is(one, PgTable));

export const tableNames = (): string[] => TABLES.map((table) => getTableName(table)).sort();

function columnsOf(name: string): Column[] {
  const table = TABLES.find((one) => getTableName(one) === name);
  if (!table) throw new Error(`there is no table ${name}`);
  return Object.values(getTableColumns(table)).map((column) => ({
    name: column.name,
    type: column.getSQLType(),
    nullable: !column.notNull,
    values: column.enumValues ?? [],
  }));
}

/** Returns an SQL expression for a value close to the current one. */
function nearly({ name, type }: Column): string {
  const column = `"${name}"`;
  if (type === "bytea") {
    return `case when length(${column}) = 0 then '\\x00'::bytea
      else set_byte(${column}, length(${column}) - 1, get_byte(${column}, length(${column}) - 1) # 1) end`;
  }
  if (type === "boolean") return `not ${column}`;
  if (type === "text[]") return `'{}'::text[]`;
  if (type.startsWith("json")) return `'{}'::${type}`;
  if (type.startsWith("timestamp")) return `${column} + interval '10 years'`;
  if (type === "text") return `${column} || 'x'`;
  return `${column} + 1`; // numbers and days
}

/** The attacker and the victims: parts of text that identify their rows (ids, addresses without 0x). */
export interface Sides {
  attacker: readonly string[];
  victims: readonly string[];
}

const rowOf = (row: string, texts: readonly string[]) =>
  texts.map((text) => `${row}::text like '%${text}%'`).join(" or ");

/**
 * Returns every way in which this attack writes each column of a table, most promising first: with the value of a row
 * of the attacker's (otherwise of any row), a nearby value, every other value the column may have, and null. If the
 * column is unique, the attacker's row gives its value to a victim's row.
 */
export function writingsOf(table: string, { attacker, victims }: Sides): Writing[] {
  return columnsOf(table).flatMap((column) => {
    const name = `"${column.name}"`;
    const write = (how: string, statement: string): Writing => ({ table, column: column.name, how, statement });
    const set = (how: string, value: string, where = "") =>
      write(how, `update "${table}" t set ${name} = ${value}${where}`);
    const others = `(select o.${name} from "${table}" o where o.${name} is distinct from t.${name}`;
    const mine = `order by (${rowOf("o", attacker)}) desc limit 1)`;
    const given = victims.map((victim) =>
      write(
        `the attacker's value, for ${victim}`,
        `do $$ declare was "${table}".${name}%type; begin
          select t.${name} into was from "${table}" t where ${rowOf("t", attacker)} limit 1;
          if found then
            update "${table}" t set ${name} = ${nearly(column)} where ${rowOf("t", attacker)};
            update "${table}" t set ${name} = was where ${rowOf("t", [victim])};
          end if; end $$`,
      ),
    );
    const moved = column.type.startsWith("json")
      ? []
      : [set("another row's value", `${others} ${mine}`, ` where exists ${others})`)];
    return [
      ...(isUnique(table, column.name) ? given : moved),
      set("a value nearby", nearly(column)),
      ...column.values.map((value) => set(value, `'${value}'`, ` where ${name} <> '${value}'`)),
      ...(column.nullable ? [set("null", "null", ` where ${name} is not null`)] : []),
    ];
  });
}

/** Copies some tables. `restore` restores one. Needs the database's owner. */
export async function keepTables(
  owner: postgres.Sql,
  tables: readonly string[],
): Promise<(table: string) => Promise<void>> {
  await owner`set session_replication_role = replica`; // no triggers, no foreign keys
  for (const table of tables) await owner.unsafe(`create table "kept_${table}" as table "${table}"`);
  return async (table) => {
    await owner.unsafe(`begin; delete from "${table}"; insert into "${table}" table "kept_${table}"; commit`);
  };
}

/** Returns whether a column belongs to a primary or unique key, so that two rows can't have the same value. */
function isUnique(table: string, column: string): boolean {
  const found = TABLES.find((one) => getTableName(one) === table);
  if (!found) return false;
  const { indexes, primaryKeys, columns } = getTableConfig(found);
  const keys = [
    ...primaryKeys.map((key) => key.columns.map(({ name }) => name)),
    ...indexes
      .filter(({ config }) => config.unique)
      .map(({ config }) => config.columns.map((one) => ("name" in one ? one.name : ""))),
    ...columns.filter(({ primary }) => primary).map(({ name }) => [name]),
  ];
  return keys.some((key) => key.includes(column));
}
