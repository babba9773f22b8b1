import { closeDb } from "@/db/client";
import { endStreams } from "@/lib/events/stream/open-streams";
import { closeProver } from "@/lib/prover/process-prover";
import { setLocalEnv } from "./local-env";
import { startPreparedChains } from "./local-services";
import { createDatabase, sharedPostgres } from "./postgres-server";

/** A test file's access to the shared services. */
export interface SharedServices {
  stop(): Promise<void>;
}

const VARIABLE = "HALCYON_TEST_CHAINS";

/** Vitest's global set-up for files that need little more than a database: starts the chains once for all of them. */
export default async function sharedChains(): Promise<() => Promise<void>> {
  const { env, stop } = await startPreparedChains();
  process.env[VARIABLE] = JSON.stringify(env);
  return stop;
}

/**
 * Starts a test file's own fresh database, and sets the environment to it and to the shared chains. For files that
 * write nothing to the chains, which all of them share; no relayer is registered. Files of one process use the same
 * database name in turn, so that the process's environment stays valid.
 */
export async function startSharedServices(): Promise<SharedServices> {
  const [server, chains] = [sharedPostgres(), process.env[VARIABLE]];
  if (!server || !chains) throw new Error("a file of the project `shared` in vitest.config.ts was run outside of it");
  setLocalEnv({ ...JSON.parse(chains), ...(await createDatabase(server, `process_${process.pid}`)) });
  return {
    async stop() {
      // They are closed for good, and listen to this database. The next file in the process has its own.
      endStreams();
      Reflect.deleteProperty(globalThis, "halcyonStreams");
      await closeProver();
      await closeDb();
    },
  };
}
