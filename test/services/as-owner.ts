import postgres from "postgres";

/**
 * Runs statements as the role that owns the tables, on a separate connection, with rights that web and worker lack. For
 * tests in which an attacker controls the database, and for clean-up.
 */
export async function asOwner<T>(run: (sql: postgres.Sql) => PromiseLike<T>): Promise<T> {
  const sql = postgres(process.env.MIGRATION_DATABASE_URL ?? "", { max: 1, onnotice: () => {} });
  try {
    return await run(sql);
  } finally {
    await sql.end();
  }
}
