import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { closeDb } from "@/db/client";
import { migrate } from "@/db/migrate";
import { registerRelayers } from "@/lib/operations/register-relayers";
import { closeProver } from "@/lib/prover/process-prover";
import { deployLocal } from "@/scripts/deploy-local";
import { LocalChain } from "@/scripts/stack/local-chain";
import { LocalPostgres } from "@/scripts/stack/postgres";
import { connectionsClosed } from "./connections";
import { freePort } from "./free-port";
import { FAUCET_KEY, setLocalEnv } from "./local-env";
import { copyPrepared } from "./prepared-data";

/**
 * Services a test file has for itself: PostgreSQL and both chains with the contracts, and the environment set to them.
 */
export interface LocalServices {
  postgres: LocalPostgres;
  chains: Record<46630 | 4663, LocalChain>;
  /** Where they are, as environment variables. */
  env: ServicesEnv;
  stop(): Promise<void>;
}

/** Environment variables that name services. */
export type ServicesEnv = Record<string, string> & { DATABASE_URL: string; MIGRATION_DATABASE_URL: string };

/** The services over a data folder, not started. */
interface Services {
  genesisTime: number;
  postgres: LocalPostgres;
  chains: LocalServices["chains"];
}

const PREPARED = "prepared.json";

async function servicesIn(data: string, genesisTime: number): Promise<Services> {
  const ports = [await freePort(), await freePort(), await freePort()] as const;
  const say = () => {};
  const chain = (chainId: 46630 | 4663, port: number) =>
    new LocalChain({ chainId, port, data: path.join(data, String(chainId)), genesisTime, faucetKey: FAUCET_KEY, say });
  return {
    genesisTime,
    postgres: new LocalPostgres({ data, port: ports[0], password: "test", appPassword: "app", say }),
    chains: { 46630: chain(46630, ports[1]), 4663: chain(4663, ports[2]) },
  };
}

const startAll = ({ postgres, chains }: Services) =>
  Promise.all([postgres.start(), chains[46630].start(), chains[4663].start()]);
const stopAll = ({ postgres, chains }: Services) =>
  Promise.all([postgres.stop(), chains[46630].stop(), chains[4663].stop()]);

/** A migrated database and both chains with the contracts, stopped, with their addresses in a file beside them. */
async function prepare(data: string): Promise<void> {
  const services = await servicesIn(data, Math.floor(Date.now() / 1000));
  const { postgres, chains, genesisTime } = services;
  await startAll(services);
  const deploy = async (chainId: 46630 | 4663) => {
    const { url: rpcUrl } = chains[chainId];
    const { ledger, usdg, deployedBlock } = await deployLocal({ rpcUrl, chainId, deployerKey: FAUCET_KEY });
    return {
      [`LEDGER_ADDRESS_${chainId}`]: ledger,
      [`USDG_ADDRESS_${chainId}`]: usdg,
      [`LEDGER_BLOCK_${chainId}`]: String(deployedBlock),
    };
  };
  const [test, live] = await Promise.all([deploy(46630), deploy(4663), migrate(postgres.ownerUrl, postgres.appUrl)]);
  await connectionsClosed(postgres.ownerUrl);
  await stopAll(services);
  writeFileSync(path.join(data, PREPARED), JSON.stringify({ genesisTime, env: { ...test, ...live } }));
}

/** Boots them on free ports, in a folder of their own below /tmp. Nothing in this process knows of them yet. */
export async function startPreparedServices(): Promise<LocalServices> {
  const data = mkdtempSync("/tmp/halcyon-test-");
  await copyPrepared("services", data, prepare);
  const { genesisTime, env } = JSON.parse(readFileSync(path.join(data, PREPARED), "utf8"));
  const services = await servicesIn(data, genesisTime);
  const { postgres, chains } = services;
  await startAll(services);
  return {
    postgres,
    chains,
    env: {
      ...env,
      DATABASE_URL: postgres.appUrl,
      MIGRATION_DATABASE_URL: postgres.ownerUrl,
      HALCYON_LOCAL_CHAINS: "46630,4663",
      RPC_URL_46630: chains[46630].url,
      RPC_URL_4663: chains[4663].url,
    },
    async stop() {
      await stopAll(services);
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/**
 * Boots them, sets `process.env` to them before lib/env.ts reads it, and registers the relayers.
 *
 * @param settings environment variables in which this process differs, made of where the services are
 */
export async function startLocalServices(
  settings: (env: ServicesEnv) => Promise<Record<string, string>> = async () => ({}),
): Promise<LocalServices> {
  const services = await startPreparedServices();
  setLocalEnv({ ...services.env, ...(await settings(services.env)) });
  await Promise.all([registerRelayers(46630), registerRelayers(4663)]);
  return {
    ...services,
    async stop() {
      await closeProver();
      await closeDb();
      await connectionsClosed(services.postgres.ownerUrl);
      await services.stop();
    },
  };
}
