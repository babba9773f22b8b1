import path from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as run } from "drizzle-orm/postgres-js/migrator";
import { againWhenLocked } from "./again-when-locked";
import { connect } from "./connect";
import { restrictApp, roleOf } from "./roles";

/** Between attempts to lock tables that others use. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 16_000];

/**
 * Migrates a database to the newest schema, then restricts the role of web and worker to the rights it needs
 * (`restrictApp`). Safe to run at every start, and from several processes at once: they take turns.
 *
 * @param ownerUrl address for the role that owns the tables
 * @param appUrl address that web and worker use; if it has the same role, the role keeps all its rights
 */
export async function migrate(ownerUrl: string, appUrl = ownerUrl): Promise<void> {
  const sql = connect(ownerUrl, { max: 1 });
  try {
    // The lock belongs to this connection, so a killed process leaves none behind.
    await sql`select pg_advisory_lock(hashtextextended('halcyon migrations', 0))`;
    // All that is new is one transaction. Payments go on meanwhile: what locks their tables may have to try again.
    await againWhenLocked(PAUSES_MS, () => run(drizzle(sql), { migrationsFolder: path.resolve("db/migrations") }));
    if (roleOf(appUrl) !== roleOf(ownerUrl)) await restrictApp(sql, roleOf(appUrl));
  } finally {
    await sql.end();
  }
}
