import type postgres from "postgres";

/** Tables whose rows the service can read and add, but never change or delete. */
export const APPEND_ONLY = ["audit_log", "audit_anchors", "audit_anchor_leaves", "audit_anchors_final"];
/** Tables that the service can only read; `npm run maintain` writes them. */
export const READ_ONLY = ["audit_checkpoints"];

/** Returns the role in a connection address. */
export const roleOf = (databaseUrl: string): string => decodeURIComponent(new URL(databaseUrl).username);

/**
 * Gives the role of web and worker the rights it needs and revokes all others. It can read and write rows, but not
 * change tables, functions or triggers, truncate tables or change append-only ones. Safe to run at every start.
 *
 * @param sql a connection of the role that owns the tables
 * @param app the role of web and worker; it must exist
 * @throws Error if the role has rights that no grant takes away: it owns tables, or is a superuser
 */
export async function restrictApp(sql: postgres.Sql, app: string): Promise<void> {
  await sql.begin(async (tx) => {
    const role = tx(app);
    // One at a time, because concurrent grants conflict.
    await tx`select pg_advisory_xact_lock(hashtextextended('halcyon roles', 0))`;
    await requireOrdinary(tx, app);
    const [{ name } = { name: "" }] = await tx<{ name: string }[]>`select current_database() as name`;
    await tx`revoke create, temporary on database ${tx(name)} from public, ${role}`;
    await tx`revoke create on schema public from public, ${role}`;
    await tx`grant usage on schema public to ${role}`;
    await tx`revoke all on all tables in schema public from public, ${role}`;
    await tx`grant select, insert, update, delete on all tables in schema public to ${role}`;
    await tx`grant usage, select on all sequences in schema public to ${role}`;
    // For tables of later migrations; `restrictApp` runs after those as well.
    await tx`alter default privileges in schema public grant select, insert, update, delete on tables to ${role}`;
    await tx`alter default privileges in schema public grant usage, select on sequences to ${role}`;
    for (const table of APPEND_ONLY) await tx`revoke update, delete on ${tx(table)} from ${role}`;
    for (const table of READ_ONLY) await tx`revoke insert, update, delete on ${tx(table)} from ${role}`;
    // Partitions are accessed through their tables, which have the rights.
    const partitions = await tx<{ name: string }[]>`
      select relname as name from pg_class where relispartition and relkind = 'r' and relnamespace = 'public'::regnamespace`;
    for (const { name } of partitions) await tx`revoke all on ${tx(name)} from ${role}`;
  });
}

async function requireOrdinary(tx: postgres.TransactionSql, app: string): Promise<void> {
  const [role] = await tx<{ above: boolean; owns: boolean }[]>`
    select r.rolsuper or r.rolcreaterole or r.rolcreatedb or r.rolbypassrls or r.rolreplication as above,
      exists (
        select from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'S') and pg_has_role(r.oid, c.relowner, 'member')
      ) as owns
    from pg_roles r where r.rolname = ${app}`;
  if (!role) throw new Error(`The database has no role ${app}. Create it: create role ${app} login password '…'.`);
  if (role.above)
    throw new Error(
      `The database role ${app} has rights over others. Take them: alter role ${app} nosuperuser nocreaterole nocreatedb nobypassrls noreplication.`,
    );
  if (role.owns) {
    throw new Error(
      `The database role ${app} owns tables, or is a member of the role that does. Hand them over: reassign owned by ${app} to the role of MIGRATION_DATABASE_URL.`,
    );
  }
}
