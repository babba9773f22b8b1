import { mkdtempSync, rmSync } from "node:fs";
import { closeDb } from "@/db/client";
import { migrate } from "@/db/migrate";
import { LocalPostgres } from "../stack/postgres";
import { freePort } from "./free-port";

const hex = (byte: string) => byte.repeat(32);

/**
 * A test file's own PostgreSQL, without chains, and the environment set to it: 46630 counts as the local stack's chain,
 * 4663 as a public one.
 */
export async function startLocalDatabase(): Promise<{ stop(): Promise<void> }> {
  const data = mkdtempSync("/tmp/halcyon-test-");
  const postgres = new LocalPostgres({ data, port: await freePort(), password: "test", say: () => {} });
  Object.assign(process.env, {
    DATABASE_URL: postgres.url,
    RELAYER_SEED: hex("aa"),
    SERVER_PEPPER: hex("bb"),
    SECRETS_KEY: hex("dd"),
    NEXTAUTH_SECRET: hex("c"),
    HALCYON_LOCAL_CHAINS: "46630",
    RPC_URL_46630: "http://127.0.0.1:1",
    RPC_URL_4663: "http://127.0.0.1:1",
    LEDGER_ADDRESS_46630: `0x${"1".repeat(40)}`,
    LEDGER_ADDRESS_4663: `0x${"1".repeat(40)}`,
    FAUCET_KEY: `0x${hex("fa")}`,
    LOG_LEVEL: process.env.LOG_LEVEL ?? "error",
  });
  await postgres.start();
  await migrate(postgres.url);
  return {
    async stop() {
      await closeDb();
      await postgres.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
