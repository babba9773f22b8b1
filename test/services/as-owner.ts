import postgres from "postgres";

/**
 * Runs statements as the role that owns the tables, on a connection of their own: what web and worker may not do. For
 * attackers of the database in a test, and its housekeeping.
 */
export async function asOwner<T>(run: (sql: postgres.Sql) => PromiseLike<T>): Promise<T> {
  const sql = postgres(process.env.MIGRATION_DATABASE_URL ?? "", { max: 1, onnotice: () => {} });
  try {
    return await run(sql);
  } finally {
    await sql.end();
  }
}
