import path from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { connect } from "./connect";

/**
 * Reports whether a database was migrated by a version of Halcyon whose migrations this version doesn't have. Formats
 * have changed since, so its rows can't be read. Returns false for an empty database.
 *
 * @param ownerUrl address for the role that owns the tables, which alone may read the migrations table
 */
export async function isOfAnotherVersion(ownerUrl: string): Promise<boolean> {
  const known = readMigrationFiles({ migrationsFolder: path.resolve("db/migrations") }).map(({ hash }) => hash);
  const sql = connect(ownerUrl, { max: 1 });
  try {
    const [{ journal } = { journal: null }] = await sql`select to_regclass('drizzle.__drizzle_migrations') as journal`;
    if (journal === null) return false;
    const unknown = await sql`
      select 1 from drizzle.__drizzle_migrations where hash <> all(${known}::text[]) limit 1`;
    return unknown.length > 0;
  } finally {
    await sql.end();
  }
}
