import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import postgres from "postgres";
import { closeDb } from "@/db/client";
import { migrate } from "@/db/migrate";
import { removeFolder } from "@/scripts/stack/files";
import { LocalPostgres } from "@/scripts/stack/postgres";
import { loadSecrets } from "@/scripts/stack/secrets";
import { connectionsClosed } from "./connections";
import { freePort } from "./free-port";
import type { DatabaseUrls } from "./postgres-server";

/** A test file's own PostgreSQL, which archives its log and is backed up and restored by the operators' commands. */
export interface ArchivedPostgres extends DatabaseUrls {
  /** `npm run backup`: a base copy, while the database is used. */
  backUp(): Promise<void>;
  /** Returns a moment between what was committed and what will be. */
  moment(): Promise<Date>;
  /** `npm run restore … --until`: replaces the database. No worker may run here meanwhile. */
  restore(until: Date): Promise<void>;
  stop(): Promise<void>;
}

/** Starts one with a migrated, empty database. */
export async function startArchivedPostgres(): Promise<ArchivedPostgres> {
  const data = mkdtempSync("/tmp/halcyon-archived-");
  const [wal, copy] = [path.join(data, "wal"), path.join(data, "copy")];
  const port = await freePort();
  const { postgresPassword: password, postgresAppPassword: appPassword } = loadSecrets(data);
  const options = { data, port, password, appPassword, walArchive: wal, settings: ["fsync=off"], say: () => {} };
  let server = new LocalPostgres(options);
  await server.start();
  const { ownerUrl, appUrl } = server;
  await migrate(ownerUrl, appUrl);
  await connectionsClosed(ownerUrl);
  // The commands find the database as they do beside `npm start`: by its folder and its port.
  const env = {
    ...process.env,
    DATABASE_URL: "",
    MIGRATION_DATABASE_URL: "",
    BACKUP_DATABASE_URL: "",
    HALCYON_DATA: data,
  };
  const command = (...args: string[]) =>
    promisify(execFile)(process.execPath, ["scripts/run.mjs", ...args], {
      env: { ...env, HALCYON_PG_PORT: String(port), HALCYON_WAL_ARCHIVE: wal },
    });
  return {
    MIGRATION_DATABASE_URL: ownerUrl,
    DATABASE_URL: appUrl,
    async backUp() {
      await command("scripts/backup.ts", copy);
    },
    async moment() {
      const sql = postgres(ownerUrl, { max: 1 });
      try {
        const [now] = await sql<{ at: Date }[]>`select clock_timestamp() as at`;
        // Its milliseconds are cut off.
        await sql`select pg_sleep(0.05)`;
        return new Date((now?.at.getTime() ?? 0) + 5);
      } finally {
        await sql.end();
      }
    },
    async restore(until) {
      await closeDb();
      await connectionsClosed(ownerUrl);
      // A stop also archives the last segment of the log.
      await server.stop();
      await command("scripts/restore.ts", copy, "--wal", wal, "--until", until.toISOString());
      server = new LocalPostgres(options);
      await server.start();
    },
    async stop() {
      await server.stop();
      removeFolder(data);
    },
  };
}
