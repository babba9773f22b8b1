import path from "node:path";
import { LOCAL_CHAIN_IDS, type LocalChainId, type StackConfig, siteUrl } from "./config";
import type { Secrets } from "./secrets";

/** A chain's addresses for the web and worker processes. */
export interface ChainAddresses {
  rpcUrl: string;
  ledger: `0x${string}`;
  /** Known for chains to which the stack deployed. */
  usdg?: `0x${string}`;
  deployedBlock?: bigint;
}

/**
 * Returns the environment of web and worker (lib/base/env.ts reads it). Variables that are already set are kept; without
 * secrets of its own, an installation gets those in secrets.json.
 */
export function childEnv(
  config: StackConfig,
  secrets: Secrets,
  databaseUrl: string,
  chains: Record<LocalChainId, ChainAddresses>,
  dist: string,
): Record<string, string> {
  const embedded = LOCAL_CHAIN_IDS.filter((id) => !config.rpcUrl[id]).map(String);
  const named = (process.env.HALCYON_LOCAL_CHAINS ?? "").split(",").filter(Boolean);
  const local = [...new Set([...embedded, ...named])];
  const own = (name: string, value: string): Record<string, string> =>
    process.env[`${name}_FILE`] ? {} : { [name]: process.env[name] || value };
  const env: Record<string, string> = {
    NODE_ENV: config.development ? "development" : "production",
    ...(config.development
      ? { HALCYON_TSCONFIG: path.posix.join(path.dirname(dist), "tsconfig.json"), NEXT_TELEMETRY_DISABLED: "1" }
      : {}),
    PORT: String(config.web.port),
    HALCYON_DIST: dist,
    DATABASE_URL: databaseUrl,
    MIGRATION_DATABASE_URL: "", // the web process does not own the tables
    HALCYON_LOCAL_CHAINS: local.join(","),
    NEXTAUTH_URL: siteUrl(config),
    // No load balancer is in front of the local stack's web process, so its shutdown needs no notice period.
    ...own("SHUTDOWN_NOTICE_SECONDS", "0"),
    ...own("RELAYER_SEED", secrets.relayerSeed),
    ...own("SERVER_PEPPER", secrets.serverPepper),
    ...own("NEXTAUTH_SECRET", secrets.nextAuthSecret),
    ...secretsKeys(secrets),
    ...own("VAPID_PRIVATE_KEY", secrets.vapidKey),
    ...(embedded.length > 0 ? { FAUCET_KEY: secrets.faucetKey } : {}),
  };
  for (const id of LOCAL_CHAIN_IDS) {
    const { rpcUrl, ledger, usdg, deployedBlock } = chains[id];
    env[`RPC_URL_${id}`] = rpcUrl;
    env[`LEDGER_ADDRESS_${id}`] = ledger;
    if (usdg) env[`USDG_ADDRESS_${id}`] = usdg;
    if (deployedBlock !== undefined) env[`LEDGER_BLOCK_${id}`] = String(deployedBlock);
  }
  return env;
}

/** If the user sets SECRETS_KEY, the previous key must be set by the user too. */
function secretsKeys({ secretsKey, secretsKeyPrevious }: Secrets): Record<string, string> {
  if (process.env.SECRETS_KEY || process.env.SECRETS_KEY_FILE) return {};
  return { SECRETS_KEY: secretsKey, ...(secretsKeyPrevious ? { SECRETS_KEY_PREVIOUS: secretsKeyPrevious } : {}) };
}
