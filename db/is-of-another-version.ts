import path from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { connect } from "./connect";

/**
 * Whether a database was migrated by a version of Halcyon that this one has no migrations of: one whose formats changed
 * since, so that its rows can't be read. An empty database is not.
 *
 * @param ownerUrl address for the role that owns the tables, which alone may read what was migrated
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
