import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asOwner } from "@/test/services/as-owner";
import { type LocalDatabase, startLocalDatabase } from "@/test/services/local-database";
import { migrate } from "./migrate";
import { readArchiveAge } from "./read-archive-age";
import { APPEND_ONLY, READ_ONLY, restrictApp, roleOf } from "./roles";

let database: LocalDatabase;
let app: postgres.Sql;
let tables: string[];
let partitions: string[];
const urls = () => [process.env.MIGRATION_DATABASE_URL ?? "", process.env.DATABASE_URL ?? ""] as const;

beforeAll(async () => {
  database = await startLocalDatabase("own");
  app = postgres(urls()[1], { max: 2, onnotice: () => {} });
  const rows = await asOwner((sql) => sql`select tablename from pg_tables where schemaname = 'public'`);
  tables = rows.map(({ tablename }) => tablename);
  const parts = await asOwner(
    (sql) => sql`select inhrelid::regclass::text as name from pg_inherits where inhparent in (
    'events'::regclass, 'webhook_deliveries'::regclass, 'audit_log'::regclass)`,
  );
  partitions = parts.map(({ name }) => name);
  expect(partitions).toHaveLength(6);
});

afterAll(async () => {
  await app?.end();
  await database?.stop();
});

const REFUSED = [
  "create table mine (a int)",
  "create temporary table mine (a int)",
  "create schema mine",
  "create function mine() returns int language sql as 'select 1'",
  "create trigger mine before insert on accounts for each row execute function audit_log_append_only()",
  "create role mine",
  "create extension dblink",
  "alter table accounts add column mine int",
  "alter table audit_log disable trigger all",
  "alter role halcyon_app superuser",
  "alter system set fsync = off",
  "drop table transfers",
  "drop trigger audit_log_append_only on audit_log",
  "drop function audit_log_append_only() cascade",
  "update audit_log set target = target",
  "delete from audit_log",
  "delete from audit_log_start",
  "select from events_start",
  "insert into audit_checkpoints values ('acct_1', 46630, 9, '')",
  "alter table events detach partition events_start",
  "select * from drizzle.__drizzle_migrations",
  "set session_replication_role = replica",
  "set role halcyon",
  "copy accounts to program 'true'",
  "copy accounts to '/tmp/mine'",
  "select pg_read_file('postgresql.conf')",
];

describe("the role of web and worker", () => {
  test.each(REFUSED)("may not: %s", async (statement) => {
    await expect(app.unsafe(statement)).rejects.toMatchObject({ code: "42501" });
  });

  test("empties no table at once, and owns none", async () => {
    expect(tables.length).toBeGreaterThan(20);
    for (const table of tables) {
      await expect(app`truncate ${app(table)} cascade`).rejects.toMatchObject({ code: "42501" });
    }
    expect(await app`select relname from pg_class where relowner = current_user::regrole`).toEqual([]);
  });

  test("reads and writes rows of every table, but rewrites no history and reaches no partition by itself", async () => {
    const rights = await app<{ name: string; rights: string }[]>`
      select t.tablename as name, string_agg(r.name, ' ' order by r.name) as rights
      from pg_tables t cross join unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'trigger', 'references']) r(name)
      where t.schemaname = 'public' and has_table_privilege(format('public.%I', t.tablename), r.name)
      group by t.tablename`;
    const due = (name: string) => {
      if (READ_ONLY.includes(name)) return "select";
      return APPEND_ONLY.includes(name) ? "insert select" : "delete insert select update";
    };
    expect(Object.fromEntries(rights.map(({ name, rights }) => [name, rights]))).toEqual(
      Object.fromEntries(tables.filter((name) => !partitions.includes(name)).map((name) => [name, due(name)])),
    );
  });

  test("may ask how old the archive is; without one there is no age", async () => {
    expect(await readArchiveAge(app)).toBeUndefined();
  });

  test("works on a table that a later migration makes, and cannot change it", async () => {
    await asOwner((sql) => sql`create table later (id bigserial primary key, a int)`);
    try {
      expect(await app`insert into later (a) values (1) returning id`).toEqual([{ id: "1" }]);
      await expect(app`truncate later`).rejects.toMatchObject({ code: "42501" });
    } finally {
      await asOwner((sql) => sql`drop table later`);
    }
  });
});

describe("migrating", () => {
  test("gives a role without any rights what it needs, so an older installation continues", async () => {
    const [owner, app] = urls();
    await asOwner((sql) => sql`drop owned by ${sql(roleOf(app))}`);
    const fresh = postgres(app, { max: 1 });
    try {
      await expect(fresh`select from accounts`).rejects.toMatchObject({ code: "42501" });
      await migrate(owner, app);
      expect(await fresh`select id from accounts`).toEqual([]);
    } finally {
      await fresh.end();
    }
  });

  test("refuses a role that owns tables, has rights over others, or does not exist", async () => {
    const refusal = (role: string, prepare: string, undo: string) =>
      asOwner(async (sql) => {
        await sql.unsafe(prepare);
        try {
          return await restrictApp(sql, role).then(
            () => "taken",
            (error: Error) => error.message,
          );
        } finally {
          await sql.unsafe(undo);
        }
      });
    const owning = await refusal(
      "halcyon_app",
      "alter table events owner to halcyon_app",
      "alter table events owner to halcyon",
    );
    expect(owning).toContain("reassign owned by halcyon_app");
    const mighty = await refusal(
      "halcyon_app",
      "alter role halcyon_app createrole",
      "alter role halcyon_app nocreaterole",
    );
    expect(mighty).toContain("alter role halcyon_app nosuperuser");
    expect(await refusal("nobody_here", "select 1", "select 1")).toContain("create role nobody_here");
  });
});
