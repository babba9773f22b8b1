import { existsSync } from "node:fs";
import type { Network } from "@/lib/network";
import { HalcyonError } from "../api/errors";
import { Halcyon } from "../client";
import { DEFAULT_URL, type HalcyonOptions } from "../platform/node-context";
import { defaultWalletFile, parseWalletKey, readWalletKey } from "../platform/wallet-file";
import type { AskPassphrase } from "../platform/wallet-passphrase";
import { askPassphrase } from "./ask-passphrase";
import { type Profile, profileNamed, readProfiles } from "./profiles";
import { type Progress, SILENT, telling } from "./progress";

/** The options every command has. */
export interface GlobalOptions {
  walletKeyFile?: string;
  url?: string;
  network?: Network;
  profile?: string;
  json?: boolean;
}

type Variables = Record<string, string | undefined>;

/** A client made of options, environment and profile. */
export async function clientFrom(
  options: GlobalOptions,
  progress: Progress = SILENT,
  variables: Variables = process.env,
  more: Pick<HalcyonOptions, "maxRetries"> = {},
): Promise<Halcyon> {
  return new Halcyon({ ...(await settingsFrom(options, variables)), ...telling(progress), ...more });
}

/**
 * What a command works with. An option goes before a variable (HALCYON_WALLET_KEY, HALCYON_API_KEY, HALCYON_URL,
 * HALCYON_RPC_URL), a variable before the profile of HALCYON_PROFILE or `profiles use`. A profile named with --profile
 * counts as an option: nothing then pays by accident from an account whose key the environment holds.
 */
export async function settingsFrom(options: GlobalOptions, variables: Variables): Promise<HalcyonOptions> {
  const profile = await profileInForce(options, variables);
  const named = options.profile !== undefined;
  const either = (variable: string | undefined, ofProfile: string | undefined) =>
    named ? ofProfile || variable || undefined : variable || ofProfile;
  const url = options.url ?? either(variables.HALCYON_URL, profile?.url) ?? DEFAULT_URL;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new HalcyonError("invalid_request", "--url is not an address such as http://localhost:3000.");
  }
  const owned = named ? {} : variables;
  return {
    url,
    network: options.network ?? profile?.network,
    walletKey: await walletKeyFrom(options, owned, profile, askPassphrase(variables)),
    apiKey: owned.HALCYON_API_KEY || profile?.api_key,
    rpcUrl: either(variables.HALCYON_RPC_URL, profile?.rpc_url),
  };
}

async function profileInForce(options: GlobalOptions, variables: Variables): Promise<Profile | undefined> {
  const all = await readProfiles();
  const name = options.profile ?? (variables.HALCYON_PROFILE || all.current);
  return name === undefined ? undefined : profileNamed(all, name);
}

async function walletKeyFrom(
  options: GlobalOptions,
  variables: Variables,
  profile: Profile | undefined,
  ask: AskPassphrase,
) {
  if (options.walletKeyFile) return readWalletKey(options.walletKeyFile, ask);
  if (variables.HALCYON_WALLET_KEY) return parseWalletKey(variables.HALCYON_WALLET_KEY, "HALCYON_WALLET_KEY");
  // A profile is one account: it does not borrow the wallet of this machine.
  if (profile) return profile.wallet_key_file ? readWalletKey(profile.wallet_key_file, ask) : undefined;
  // The wallet of this machine, when `wallet new` made one without naming a file.
  const file = defaultWalletFile();
  return existsSync(file) ? readWalletKey(file, ask) : undefined;
}
