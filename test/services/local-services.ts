import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { closeDb } from "@/db/client";
import { broadcastsDone } from "@/lib/chain/broadcast";
import { registerRelayers } from "@/lib/chain/operations/register-relayers";
import { endStreams } from "@/lib/events/stream/open-streams";
import { closeProver } from "@/lib/prover/process-prover";
import { deployLocal } from "@/scripts/deploy-local";
import { removeFolder } from "@/scripts/stack/files";
import { LocalChain } from "@/scripts/stack/local-chain";
import { offerPrepared } from "../accounts/prepared-owners";
import { connectionsClosed } from "./connections";
import { folderOfProcesses } from "./files-together";
import { freePort } from "./free-port";
import { type LocalDatabase, newDatabase } from "./local-database";
import { FAUCET_KEY, setLocalEnv } from "./local-env";
import type { DatabaseUrls } from "./postgres-server";
import { copyPrepared } from "./prepared-data";
import { preparedPeople } from "./prepared-people";

/** A test file's own services: a database and both chains with the contracts, with the environment set to them. */
export interface LocalServices {
  chains: LocalChains;
  /** Their addresses, as environment variables. */
  env: ServicesEnv;
  stop(): Promise<void>;
}

/** Environment variables that name services. */
export type ServicesEnv = Record<string, string> & DatabaseUrls;

type LocalChains = Record<46630 | 4663, LocalChain>;

const PREPARED = "prepared.json";

async function chainsIn(data: string, genesisTime: number): Promise<LocalChains> {
  const ports = [await freePort(), await freePort()] as const;
  const chain = (chainId: 46630 | 4663, port: number) => {
    const folder = path.join(data, String(chainId));
    return new LocalChain({ chainId, port, data: folder, genesisTime, faucetKey: FAUCET_KEY, say: () => {} });
  };
  return { 46630: chain(46630, ports[0]), 4663: chain(4663, ports[1]) };
}

const startAll = (chains: LocalChains) => Promise.all([chains[46630].start(), chains[4663].start()]);
const stopAll = (chains: LocalChains, how?: { snapshot: boolean }) =>
  Promise.all([chains[46630].stop(how), chains[4663].stop(how)]);

/** Prepares both chains with the contracts, then stops them. Their addresses are in a file next to them. */
async function prepare(data: string): Promise<void> {
  const genesisTime = Math.floor(Date.now() / 1000);
  const chains = await chainsIn(data, genesisTime);
  await startAll(chains);
  const deploy = async (chainId: 46630 | 4663) => {
    const { url: rpcUrl } = chains[chainId];
    const { ledger, usdg, deployedBlock } = await deployLocal({ rpcUrl, chainId, deployerKey: FAUCET_KEY });
    return {
      [`LEDGER_ADDRESS_${chainId}`]: ledger,
      [`USDG_ADDRESS_${chainId}`]: usdg,
      [`LEDGER_BLOCK_${chainId}`]: String(deployedBlock),
    };
  };
  const [test, live] = await Promise.all([deploy(46630), deploy(4663)]);
  await stopAll(chains);
  writeFileSync(path.join(data, PREPARED), JSON.stringify({ genesisTime, env: { ...test, ...live } }));
}

interface PreparedChains {
  chains: LocalChains;
  /** Their addresses, as environment variables. */
  env: Record<string, string>;
  stop(): Promise<void>;
  /** Stops them, and leaves their folder to be copied. */
  keep(): Promise<void>;
}

/**
 * Starts both chains on free ports, without setting the environment.
 *
 * @param data their folder; by default a separate one below /tmp
 * @param from a folder with the chains to copy; by default those that have nothing but the contracts
 */
export async function startPreparedChains(
  data = mkdtempSync("/tmp/halcyon-test-"),
  from?: string,
): Promise<PreparedChains> {
  if (from) cpSync(from, data, { recursive: true });
  else await copyPrepared("chains", data, prepare);
  const { genesisTime, env } = JSON.parse(readFileSync(path.join(data, PREPARED), "utf8"));
  const chains = await chainsIn(data, genesisTime);
  await startAll(chains);
  return {
    chains,
    env: {
      ...env,
      HALCYON_LOCAL_CHAINS: "46630,4663",
      RPC_URL_46630: chains[46630].url,
      RPC_URL_4663: chains[4663].url,
    },
    async stop() {
      await stopAll(chains, { snapshot: false });
      removeFolder(data);
    },
    keep: () => stopAll(chains).then(() => undefined),
  };
}

/** The services of a process whose test files use the same ones in turn. */
const ofProcess = globalThis as typeof globalThis & { halcyonTestServices?: Promise<LocalServices> };

/** Starts the services of such a process, which run until the test run ends (files-together.ts). */
async function startForProcess(folder: string): Promise<LocalServices> {
  const data = path.join(folder, String(process.pid));
  mkdirSync(data);
  const people = preparedPeople();
  const [urls, { chains, env }] = await Promise.all([
    newDatabase(people?.database),
    startPreparedChains(data, people?.chains),
  ]);
  offerPrepared(people?.owners ?? []);
  const { MIGRATION_DATABASE_URL, DATABASE_URL } = urls;
  const all = { ...env, MIGRATION_DATABASE_URL, DATABASE_URL };
  setLocalEnv(all);
  await Promise.all([registerRelayers(46630), registerRelayers(4663)]);
  return {
    chains,
    env: all,
    async stop() {
      // They are closed for good. The next file has its own.
      endStreams();
      Reflect.deleteProperty(globalThis, "halcyonStreams");
    },
  };
}

/**
 * Starts the services, sets `process.env` to them before lib/base/env.ts reads it, and registers the relayers. Where files
 * run together (vitest.config.ts), a process has one set of services, which all its files use in turn.
 *
 * @param settings environment variables that differ in this process, from the services' addresses
 * @param database a database of the file's own, instead of one on the server that a test run shares
 */
export async function startLocalServices(
  settings?: (env: ServicesEnv) => Promise<Record<string, string>>,
  database?: () => Promise<DatabaseUrls & LocalDatabase>,
): Promise<LocalServices> {
  const together = folderOfProcesses();
  if (together && !settings && !database) {
    ofProcess.halcyonTestServices ??= startForProcess(together);
    return ofProcess.halcyonTestServices;
  }
  const [own, chains] = await Promise.all([(database ?? newDatabase)(), startPreparedChains()]);
  const urls = { MIGRATION_DATABASE_URL: own.MIGRATION_DATABASE_URL, DATABASE_URL: own.DATABASE_URL };
  const env = { ...chains.env, ...urls };
  setLocalEnv({ ...env, ...(await settings?.(env)) });
  await Promise.all([registerRelayers(46630), registerRelayers(4663)]);
  return {
    chains: chains.chains,
    env,
    async stop() {
      await closeProver();
      await broadcastsDone();
      await connectionsClosed(urls.MIGRATION_DATABASE_URL, closeDb);
      await Promise.all([own.stop(), chains.stop()]);
    },
  };
}
