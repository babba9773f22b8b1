import { existsSync } from "node:fs";
import type { Network } from "@/lib/network";
import { Halcyon } from "../client";
import { DEFAULT_URL } from "../context";
import { HalcyonError } from "../errors";
import { defaultWalletFile, parseWalletKey, readWalletKey } from "../wallet-file";

/** The options every command has. */
export interface GlobalOptions {
  walletKeyFile?: string;
  url?: string;
  network?: Network;
  json?: boolean;
}

type Variables = Record<string, string | undefined>;

/** A client made of options and environment: HALCYON_WALLET_KEY, HALCYON_API_KEY, HALCYON_URL, HALCYON_RPC_URL. */
export async function clientFrom(options: GlobalOptions, variables: Variables = process.env): Promise<Halcyon> {
  const url = options.url ?? (variables.HALCYON_URL || DEFAULT_URL);
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new HalcyonError("invalid_request", "--url is not an address such as http://localhost:3000.");
  }
  return new Halcyon({
    url,
    network: options.network,
    walletKey: await walletKeyFrom(options, variables),
    apiKey: variables.HALCYON_API_KEY || undefined,
    rpcUrl: variables.HALCYON_RPC_URL || undefined,
  });
}

async function walletKeyFrom(options: GlobalOptions, variables: Variables) {
  if (options.walletKeyFile) return readWalletKey(options.walletKeyFile);
  if (variables.HALCYON_WALLET_KEY) return parseWalletKey(variables.HALCYON_WALLET_KEY, "HALCYON_WALLET_KEY");
  // The wallet of this machine, when `wallet new` made one without naming a file.
  const file = defaultWalletFile();
  return existsSync(file) ? readWalletKey(file) : undefined;
}
