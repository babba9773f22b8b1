import path from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as run } from "drizzle-orm/postgres-js/migrator";
import { runMigrations } from "graphile-worker";
import postgres from "postgres";

/** Brings a database to the newest schema, the job queue's included. Safe to run at every start. */
export async function migrate(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    await run(drizzle(sql), { migrationsFolder: path.resolve("db/migrations") });
  } finally {
    await sql.end();
  }
  await runMigrations({ connectionString: databaseUrl });
}
