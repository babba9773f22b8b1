import { randomBytes } from "node:crypto";
import { closeDb } from "@/db/client";
import { connectionsClosed } from "./connections";
import { setLocalEnv } from "./local-env";
import {
  asAdmin,
  createDatabase,
  type DatabaseUrls,
  databaseName,
  sharedPostgres,
  startPostgresServer,
} from "./postgres-server";

export interface LocalDatabase {
  stop(): Promise<void>;
}

/**
 * Creates a database on the server that a test run shares; outside a run, on a server of its own.
 *
 * @param template what it is a copy of: by default a migrated, empty one
 */
export async function newDatabase(template?: string): Promise<DatabaseUrls & LocalDatabase> {
  const server = sharedPostgres();
  if (!server) return startPostgresServer();
  const urls = await createDatabase(server, `test_${randomBytes(6).toString("hex")}`, template);
  return {
    ...urls,
    async stop() {
      const name = databaseName(urls.DATABASE_URL);
      await asAdmin(server, (admin) => admin`drop database ${admin(name)} with (force)`);
    },
  };
}

/**
 * Starts a test file's own PostgreSQL database, without chains, and sets the environment to it: 46630 counts as the
 * local stack's chain, 4663 as a public one.
 *
 * @param server `own` for files that stop the server or change its roles
 */
export async function startLocalDatabase(server: "shared" | "own" = "shared"): Promise<LocalDatabase> {
  const { stop, ...urls } = server === "own" ? await startPostgresServer() : await newDatabase();
  setLocalEnv({
    ...urls,
    HALCYON_LOCAL_CHAINS: "46630",
    RPC_URL_46630: "http://127.0.0.1:1",
    RPC_URL_4663: "http://127.0.0.1:1",
    LEDGER_ADDRESS_46630: `0x${"1".repeat(40)}`,
    LEDGER_ADDRESS_4663: `0x${"1".repeat(40)}`,
  });
  return {
    async stop() {
      await connectionsClosed(urls.MIGRATION_DATABASE_URL, closeDb);
      await stop();
    },
  };
}
