import { closeDb } from "@/db/client";
import { closeProver } from "@/lib/prover/process-prover";
import { setLocalEnv } from "./local-env";
import { startPreparedChains } from "./local-services";
import { createDatabase, sharedPostgres } from "./postgres-server";

/** What a test file has of the shared services. */
export interface SharedServices {
  stop(): Promise<void>;
}

const VARIABLE = "HALCYON_TEST_CHAINS";

/** Vitest's global set-up for files that need little more than a database: the chains are started once for all of them. */
export default async function sharedChains(): Promise<() => Promise<void>> {
  const { env, stop } = await startPreparedChains();
  process.env[VARIABLE] = JSON.stringify(env);
  return stop;
}

/**
 * A test file's own database, as new, and the shared chains, and the environment set to them. For files that write
 * nothing to the chains: these are everyone's, and no relayer is registered. Files of one process follow each other in
 * a database of the same name, so that what the process knows of its environment stays true.
 */
export async function startSharedServices(): Promise<SharedServices> {
  const [server, chains] = [sharedPostgres(), process.env[VARIABLE]];
  if (!server || !chains) throw new Error("a file of the project `shared` in vitest.config.ts was run outside of it");
  setLocalEnv({ ...JSON.parse(chains), ...(await createDatabase(server, `process_${process.pid}`)) });
  return {
    async stop() {
      await closeProver();
      await closeDb();
    },
  };
}
