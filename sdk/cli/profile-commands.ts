import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { HalcyonError } from "../api/errors";
import { readWalletKey } from "../context/platform/wallet-file";
import { askPassphrase } from "./ask-passphrase";
import { table } from "./output";
import { addProfile, chooseProfile, type Profiles, profilesFile, readProfiles, removeProfile } from "./profiles";
import type { AddCommand } from "./program";
import { withExamples } from "./with-examples";

/** Returns what may be shown of profiles: whether they have an API key, but never the key. */
function shownProfiles({ current, profiles }: Profiles) {
  const entries = Object.entries(profiles).map(([name, { api_key, ...profile }]) => ({
    name,
    current: name === current,
    ...profile,
    has_api_key: api_key !== undefined,
  }));
  return { profiles: entries };
}

function profileTable({ profiles }: ReturnType<typeof shownProfiles>): string {
  return table(
    ["", "name", "network", "url", "wallet", "api key"],
    profiles.map((one) => [
      one.current ? "*" : " ",
      one.name,
      one.network ?? "test",
      one.url,
      one.wallet_key_file,
      one.has_api_key ? "stored" : null,
    ]),
    "No profiles yet. Create one with: halcyon profiles add alice --wallet-key-file alice.key",
  );
}

/** Reads an API key from a file, or from standard input for `-`. An argument would end up in the shell's history. */
async function readApiKey(file: string): Promise<string> {
  const given = file === "-" ? textOf(process.stdin) : readFile(file, "utf8");
  const key = (
    await given.catch(() => {
      throw new HalcyonError("invalid_request", `Cannot read the API key file ${file}.`);
    })
  ).trim();
  if (/^hc_(test|live)_\S+$/.test(key)) return key;
  throw new HalcyonError("invalid_request", "That is not an API key. Keys start with hc_test_ or hc_live_.");
}

/** `profiles add`, `list`, `use`, `remove`. */
export const profileCommands: AddCommand = (program, reports, variables) => {
  const file = profilesFile(variables);
  const profiles = withExamples(
    program.command("profiles").description("manage several accounts under names, in a file only you can read"),
    "profiles list",
    "send --profile alice --to @bob --amount 25",
  );

  const add = withExamples(
    profiles
      .command("add")
      .description(
        "save --wallet-key-file, --url, --network and an API key under a name; the first becomes the default",
      )
      .argument("<name>", "1 to 32 of a-z A-Z 0-9 - _")
      .option("--api-key-file <file>", "file with an API key to copy (- reads standard input)")
      .option("--rpc-url <url>", "your own JSON-RPC address"),
    "profiles add alice --wallet-key-file alice.key",
    "profiles add bot --api-key-file bot.apikey --network live --url https://pay.example.com",
  );
  add.action((name: string) =>
    reports.local(
      add,
      async ({ walletKeyFile, url, network }) => {
        const { apiKeyFile, rpcUrl } = add.opts<{ apiKeyFile?: string; rpcUrl?: string }>();
        if (!walletKeyFile && !apiKeyFile) {
          throw new HalcyonError(
            "invalid_request",
            "Name the account's --wallet-key-file, its --api-key-file, or both.",
          );
        }
        // Refuse a bad key file now, not at the first payment.
        if (walletKeyFile) await readWalletKey(walletKeyFile, askPassphrase(variables));
        const all = await addProfile(file, name, {
          url,
          network,
          wallet_key_file: walletKeyFile && resolve(walletKeyFile),
          api_key: apiKeyFile && (await readApiKey(apiKeyFile)),
          rpc_url: rpcUrl,
        });
        return shownProfiles(all);
      },
      (result) => `${profileTable(result)}\n\nSaved in ${file}. * marks the default.`,
    ),
  );

  const list = withExamples(
    profiles
      .command("list")
      .description("list profiles; * marks the default")
      .option("--names", "names only, one per line"),
    "profiles list",
  );
  const names = ({ profiles: all }: ReturnType<typeof shownProfiles>) => all.map(({ name }) => name).join("\n");
  list.action(() => {
    const show = list.opts<{ names?: boolean }>().names ? names : profileTable;
    return reports.local(list, async () => shownProfiles(await readProfiles(file)), show);
  });

  const use = withExamples(
    profiles.command("use").description("make a profile the default").argument("<profile>", "its name"),
    "profiles use alice",
  );
  use.action((name: string) =>
    reports.local(use, async () => shownProfiles(await chooseProfile(file, name)), profileTable),
  );

  const remove = withExamples(
    profiles
      .command("remove")
      .description("remove a profile; the wallet file stays, and its API key works until you revoke it")
      .argument("<profile>", "its name"),
    "profiles remove alice",
  );
  remove.action((name: string) =>
    reports.local(remove, async () => shownProfiles(await removeProfile(file, name)), profileTable),
  );
};
