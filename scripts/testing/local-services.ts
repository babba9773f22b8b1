import { mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { closeDb } from "@/db/client";
import { migrate } from "@/db/migrate";
import { registerRelayers } from "@/lib/chain/register-relayers";
import { closeProver } from "@/lib/prover/process-prover";
import { deployLocal } from "../deploy-local";
import { LocalChain } from "../stack/local-chain";
import { LocalPostgres } from "../stack/postgres";
import { freePort } from "./free-port";

/** Services a test file has for itself: PostgreSQL and both chains with the contracts, and the environment set to them. */
export interface LocalServices {
  postgres: LocalPostgres;
  chains: Record<46630 | 4663, LocalChain>;
  stop(): Promise<void>;
}

const hex = (byte: string) => byte.repeat(32);
const FAUCET_KEY = `0x${hex("fa")}` as const;

/** Boots them on free ports, in a folder of their own below /tmp, and sets `process.env` before lib/env.ts reads it. */
export async function startLocalServices(): Promise<LocalServices> {
  const data = mkdtempSync("/tmp/halcyon-test-");
  const [pgPort, testPort, livePort] = [await freePort(), await freePort(), await freePort()];
  const say = () => {};
  const postgres = new LocalPostgres({ data, port: pgPort, password: "test", say });
  const chainOf = (chainId: 46630 | 4663, port: number) =>
    new LocalChain({
      chainId,
      port,
      data: path.join(data, String(chainId)),
      genesisTime: Math.floor(Date.now() / 1000),
      faucetKey: FAUCET_KEY,
      say,
    });
  const chains = { 46630: chainOf(46630, testPort), 4663: chainOf(4663, livePort) };
  const deploy = async (chainId: 46630 | 4663) => {
    const chain = chains[chainId];
    await chain.start();
    const { ledger, usdg, deployedBlock } = await deployLocal({ rpcUrl: chain.url, chainId, deployerKey: FAUCET_KEY });
    Object.assign(process.env, {
      [`RPC_URL_${chainId}`]: chain.url,
      [`LEDGER_ADDRESS_${chainId}`]: ledger,
      [`USDG_ADDRESS_${chainId}`]: usdg,
      [`LEDGER_BLOCK_${chainId}`]: String(deployedBlock),
    });
  };
  Object.assign(process.env, {
    DATABASE_URL: postgres.url,
    RELAYER_SEED: hex("aa"),
    SERVER_PEPPER: hex("bb"),
    SECRETS_KEY: hex("dd"),
    NEXTAUTH_SECRET: hex("c"),
    HALCYON_LOCAL_CHAINS: "46630,4663",
    FAUCET_KEY,
    LOG_LEVEL: process.env.LOG_LEVEL ?? "error",
  });
  await Promise.all([postgres.start().then(() => migrate(postgres.url)), deploy(46630), deploy(4663)]);
  await Promise.all([registerRelayers(46630), registerRelayers(4663)]);
  return {
    postgres,
    chains,
    async stop() {
      await closeProver();
      await closeDb();
      await Promise.all([postgres.stop(), chains[46630].stop(), chains[4663].stop()]);
      rmSync(data, { recursive: true, force: true });
    },
  };
}
