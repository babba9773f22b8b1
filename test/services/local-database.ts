import { mkdtempSync, rmSync } from "node:fs";
import { closeDb } from "@/db/client";
import { migrate } from "@/db/migrate";
import { LocalPostgres } from "@/scripts/stack/postgres";
import { connectionsClosed } from "./connections";
import { freePort } from "./free-port";
import { setLocalEnv } from "./local-env";
import { copyPrepared } from "./prepared-data";

const postgresIn = async (data: string) =>
  new LocalPostgres({ data, port: await freePort(), password: "test", appPassword: "app", say: () => {} });

async function prepare(data: string): Promise<void> {
  const postgres = await postgresIn(data);
  await postgres.start();
  await migrate(postgres.ownerUrl, postgres.appUrl);
  await connectionsClosed(postgres.ownerUrl);
  await postgres.stop();
}

export interface LocalDatabase {
  stop(): Promise<void>;
}

/**
 * A test file's own PostgreSQL, without chains, and the environment set to it: 46630 counts as the local stack's chain,
 * 4663 as a public one.
 */
export async function startLocalDatabase(): Promise<LocalDatabase> {
  const data = mkdtempSync("/tmp/halcyon-test-");
  await copyPrepared("database", data, prepare);
  const postgres = await postgresIn(data);
  setLocalEnv({
    DATABASE_URL: postgres.appUrl,
    MIGRATION_DATABASE_URL: postgres.ownerUrl,
    HALCYON_LOCAL_CHAINS: "46630",
    RPC_URL_46630: "http://127.0.0.1:1",
    RPC_URL_4663: "http://127.0.0.1:1",
    LEDGER_ADDRESS_46630: `0x${"1".repeat(40)}`,
    LEDGER_ADDRESS_4663: `0x${"1".repeat(40)}`,
  });
  await postgres.start();
  return {
    async stop() {
      await closeDb();
      await connectionsClosed(postgres.ownerUrl);
      await postgres.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
