import postgres from "postgres";
import { closeDb } from "@/db/client";
import { closeProver } from "@/lib/prover/process-prover";
import { setLocalEnv } from "./local-env";
import { type ServicesEnv, startPreparedServices } from "./local-services";

/** What a test file has of the shared services. */
export interface SharedServices {
  stop(): Promise<void>;
}

const VARIABLE = "HALCYON_TEST_SHARED";

/**
 * Vitest's global set-up for files that need little more than a database: PostgreSQL and the chains are started once
 * for all of them.
 */
export default async function sharedServices(): Promise<() => Promise<void>> {
  const { env, stop } = await startPreparedServices();
  process.env[VARIABLE] = JSON.stringify(env);
  return stop;
}

/**
 * A test file's own database, as new, on the shared services, and the environment set to it. For files that write
 * nothing to the chains: these are everyone's, and no relayer is registered. Files of one process follow each other in
 * a database of the same name, so that what the process knows of its environment stays true.
 */
export async function startSharedServices(): Promise<SharedServices> {
  const text = process.env[VARIABLE];
  if (!text) throw new Error("a file of the project `shared` in vitest.config.ts was run outside of it");
  const shared: ServicesEnv = JSON.parse(text);
  const name = `process_${process.pid}`;
  const at = (url: string, database: string) => url.replace(/[^/]+$/, database);
  const admin = postgres(at(shared.MIGRATION_DATABASE_URL, "postgres"), { max: 1, onnotice: () => {} });
  try {
    await admin`drop database if exists ${admin(name)} with (force)`;
    await admin`create database ${admin(name)} template halcyon`;
  } finally {
    await admin.end();
  }
  const { DATABASE_URL, MIGRATION_DATABASE_URL } = shared;
  setLocalEnv({
    ...shared,
    DATABASE_URL: at(DATABASE_URL, name),
    MIGRATION_DATABASE_URL: at(MIGRATION_DATABASE_URL, name),
  });
  return {
    async stop() {
      await closeProver();
      await closeDb();
    },
  };
}
