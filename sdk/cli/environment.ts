import { existsSync } from "node:fs";
import type { Address } from "viem";
import type { Network } from "@/lib/base/network";
import { HalcyonError } from "../api/errors";
import { httpAddress } from "../api/http-address";
import { keyWallet } from "../chain/key-wallet";
import { Halcyon } from "../client";
import { configDir, type Variables } from "../context/platform/config-dir";
import { DEFAULT_URL, type HalcyonOptions } from "../context/platform/node-context";
import { readViewingKeyFile } from "../context/platform/viewing-key-file";
import { defaultWalletFile, parseWalletKey, readWalletKey } from "../context/platform/wallet-file";
import { askPassphrase } from "./ask-passphrase";
import { type Profile, profileNamed, profilesFile, readProfiles } from "./profiles";
import { type CommandProgress, SILENT, telling } from "./progress";

/** The options every command has. */
export interface GlobalOptions {
  walletKeyFile?: string;
  viewingKeyFile?: string;
  url?: string;
  network?: Network;
  profile?: string;
  /** Milliseconds. */
  timeout?: number;
  /** Milliseconds. */
  waitTimeout?: number;
  json?: boolean;
  field?: string;
}

/** What a command's client can access. */
export interface Access {
  /** Whether it can decrypt amounts and memos. */
  decrypts: boolean;
  settings: HalcyonOptions;
}

/** Returns the address of a wallet key. */
export function addressOfWallet(walletKey: string): Address {
  return keyWallet(parseWalletKey(walletKey, "The wallet key")).address;
}

/** How a command's client waits and shows progress. */
interface Waiting {
  progress?: CommandProgress;
  maxRetries?: number;
  /** Returns the signal that aborts the command. Called after the passphrase prompt, which handles Ctrl-C itself. */
  signal?: () => AbortSignal;
}

/** Creates a client from options, environment and profile. */
export async function clientFrom(
  options: GlobalOptions,
  variables: Variables,
  { progress = SILENT, maxRetries, signal }: Waiting = {},
): Promise<{ client: Halcyon; access: Access }> {
  const settings = await settingsFrom(options, variables);
  const { timeout, waitTimeout } = options;
  const limits = { timeout, waitTimeout, maxRetries, signal: signal?.() };
  const client = new Halcyon({ ...settings, ...telling(progress), ...limits });
  return { client, access: { decrypts: (settings.walletKey ?? settings.viewingKey) !== undefined, settings } };
}

/**
 * Returns the settings for a command. An option overrides a variable (HALCYON_WALLET_KEY, HALCYON_VIEWING_KEY,
 * HALCYON_API_KEY, HALCYON_HOME_KEY, HALCYON_URL, HALCYON_RPC_URL); a variable overrides the profile from HALCYON_PROFILE or `profiles
 * use`. A profile named with --profile counts as an option, so that nothing is paid by accident from an account whose
 * key is in the environment.
 */
export async function settingsFrom(options: GlobalOptions, variables: Variables): Promise<HalcyonOptions> {
  const profile = await profileInForce(options, variables);
  const named = options.profile !== undefined;
  const either = (variable: string | undefined, ofProfile: string | undefined) =>
    named ? ofProfile || variable || undefined : variable || ofProfile;
  /** Returns an address from the first place that has one, whose name an error has. */
  const addressOf = (variable: "HALCYON_URL" | "HALCYON_RPC_URL", ofProfile: string | undefined, option?: string) => {
    const text = option ?? either(variables[variable], ofProfile);
    const place = option !== undefined ? "--url" : text === ofProfile ? "The address in the profile" : variable;
    return text === undefined ? undefined : httpAddress(place, text);
  };
  const url = addressOf("HALCYON_URL", profile?.url, options.url) ?? DEFAULT_URL;
  const owned = named ? {} : variables;
  const viewingKey = options.viewingKeyFile
    ? await readViewingKeyFile(options.viewingKeyFile)
    : owned.HALCYON_VIEWING_KEY || undefined;
  if (viewingKey && (options.walletKeyFile || owned.HALCYON_WALLET_KEY)) {
    throw new HalcyonError("invalid_request", "Name a viewing key or a wallet key, not both.");
  }
  return {
    url,
    network: options.network ?? profile?.network,
    // With a viewing key, nothing must be spendable, so don't load this machine's wallet.
    walletKey: viewingKey ? undefined : await walletKeyFrom(options, owned, profile, variables),
    viewingKey,
    apiKey: owned.HALCYON_API_KEY || profile?.api_key,
    // It belongs to the key beside it, not to a profile's.
    homeKey: (owned.HALCYON_API_KEY && owned.HALCYON_HOME_KEY) || undefined,
    rpcUrl: addressOf("HALCYON_RPC_URL", profile?.rpc_url),
    configDir: configDir(variables),
  };
}

async function profileInForce(options: GlobalOptions, variables: Variables): Promise<Profile | undefined> {
  const all = await readProfiles(profilesFile(variables));
  const name = options.profile ?? (variables.HALCYON_PROFILE || all.current);
  return name === undefined ? undefined : profileNamed(all, name);
}

async function walletKeyFrom(
  options: GlobalOptions,
  owned: Variables,
  profile: Profile | undefined,
  variables: Variables,
) {
  const ask = askPassphrase(variables);
  if (options.walletKeyFile) return readWalletKey(options.walletKeyFile, ask);
  if (owned.HALCYON_WALLET_KEY) return parseWalletKey(owned.HALCYON_WALLET_KEY, "HALCYON_WALLET_KEY");
  // A profile is one account: it doesn't fall back to this machine's wallet.
  if (profile) return profile.wallet_key_file ? readWalletKey(profile.wallet_key_file, ask) : undefined;
  // The wallet of this machine, if `wallet new` created one without naming a file.
  const file = defaultWalletFile(variables);
  return existsSync(file) ? readWalletKey(file, ask) : undefined;
}
