import { parseEnv } from "@/lib/base/env";
import { EnvError } from "@/lib/base/env-secrets";
import { decryptSecretVariables } from "@/lib/chain/kms/open-secrets";
import { type ChainAddresses, childEnv } from "./child-env";
import { type LocalChainId, readConfig, type StackConfig, StackError } from "./config";
import { appUrl } from "./postgres";
import { isOurs, recordedPid } from "./processes";
import { loadSecrets } from "./secrets";

/**
 * Gives this process the environment of the stack that `npm start` runs here, unless its own environment is complete.
 *
 * @throws StackError when no stack is running and the environment is incomplete
 */
export async function adoptRunningStack(): Promise<void> {
  try {
    await decryptSecretVariables();
    parseEnv(process.env);
    return;
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    const config = readConfig();
    const supervisor = recordedPid(config.data, "supervisor");
    if (!supervisor || !isOurs(supervisor, "scripts/")) {
      throw new StackError(`Halcyon does not run here. ${error.message}`);
    }
    Object.assign(process.env, await stackEnv(config));
  }
}

async function stackEnv(config: StackConfig): Promise<Record<string, string>> {
  const secrets = loadSecrets(config.data);
  const database = config.databaseUrl ?? appUrl(secrets.postgresAppPassword, config.postgres.port);
  const [test, live] = await Promise.all([chainOf(config, 46630), chainOf(config, 4663)]);
  return childEnv(config, secrets, database, { 46630: test, 4663: live }, "");
}

/** Returns the addresses of a chain from the running service. */
async function chainOf({ web, chains, rpcUrl }: StackConfig, chainId: LocalChainId): Promise<ChainAddresses> {
  const network = chainId === 46630 ? "test" : "live";
  const response = await fetch(`http://127.0.0.1:${web.port}/api/network?network=${network}`).catch(() => undefined);
  if (!response?.ok) throw new StackError(`The web server on port ${web.port} does not say which ledger it uses.`);
  const {
    ledger,
    ledger_block: block,
    assets,
  } = (await response.json()) as {
    ledger: `0x${string}`;
    ledger_block: string;
    assets: { symbol: string; address: `0x${string}` }[];
  };
  return {
    rpcUrl: rpcUrl[chainId] ?? `http://127.0.0.1:${chains[chainId].port}`,
    ledger,
    usdg: assets.find(({ symbol }) => symbol === "USDG")?.address,
    deployedBlock: BigInt(block),
  };
}
