import path from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as run } from "drizzle-orm/postgres-js/migrator";
import { connect } from "./connect";
import { restrictApp, roleOf } from "./roles";

/**
 * Brings a database to the newest schema, and then leaves the role of web and worker no more
 * than they need (`restrictApp`). Safe to run at every start, and from several processes at once: they take turns.
 *
 * @param ownerUrl address for the role that owns the tables
 * @param appUrl address web and worker use; when it names the same role, that keeps all its rights
 */
export async function migrate(ownerUrl: string, appUrl = ownerUrl): Promise<void> {
  const sql = connect(ownerUrl, { max: 1 });
  try {
    // Of this one connection, so a process that is killed leaves none behind.
    await sql`select pg_advisory_lock(hashtextextended('halcyon migrations', 0))`;
    await run(drizzle(sql), { migrationsFolder: path.resolve("db/migrations") });
    if (roleOf(appUrl) !== roleOf(ownerUrl)) await restrictApp(sql, roleOf(appUrl));
  } finally {
    await sql.end();
  }
}
