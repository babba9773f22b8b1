import { InvalidArgumentError, Option } from "commander";
import { KEY_SCOPES, type KeyScope, needsSecret, SCOPE_PRESETS, type ScopePreset } from "@/lib/base/key-scopes";
import { HalcyonError } from "../api/errors";
import type { Halcyon } from "../client";
import { defaultWalletFile, newWallet } from "../context/platform/wallet-file";
import { amountText } from "./amount-option";
import { asksForBlind } from "./ask-key-kind";
import { newPassphrase } from "./ask-passphrase";
import { addressOfWallet, settingsFrom } from "./environment";
import { moreOf, pageOptions } from "./listing";
import { fields, table, time } from "./output";
import { list as namesOf } from "./policy-options";
import type { AddCommand } from "./program";
import { withExamples } from "./with-examples";

type CreatedKey = Awaited<ReturnType<Halcyon["keys"]["create"]>>;

/** `wallet new`, `wallet address`. */
export const walletCommands: AddCommand = (program, reports, variables) => {
  const wallet = withExamples(program.command("wallet").description("wallet keys"), "wallet new");
  const command = withExamples(
    wallet
      .command("new")
      .description("create a wallet; its key goes to --wallet-key-file, or to this machine's configuration folder")
      .option("--encrypt", "encrypt the file under a passphrase (asked for, or HALCYON_WALLET_PASSPHRASE(_FILE))"),
    "wallet new",
    "wallet new --wallet-key-file alice.key",
    "wallet new --encrypt",
  );
  command.action(() =>
    reports.local(
      command,
      async ({ walletKeyFile = defaultWalletFile(variables) }) => {
        const encrypted = command.opts<{ encrypt?: boolean }>().encrypt ?? false;
        return newWallet(walletKeyFile, encrypted ? await newPassphrase(variables) : undefined);
      },
      (result) => `${fields({ ...result })}\n\nKeep that file safe: it controls the money, and no one can replace it.`,
    ),
  );

  const address = withExamples(
    wallet.command("address").description("print the address of the wallet in use; asks no service"),
    "wallet address",
    "wallet address --wallet-key-file alice.key",
  );
  address.action(() =>
    reports.local(
      address,
      async (options) => {
        const { walletKey } = await settingsFrom(options, variables);
        if (walletKey) return { address: addressOfWallet(walletKey) };
        throw new HalcyonError("unauthorized", "There is no wallet. Create one with `halcyon wallet new`.");
      },
      (result) => result.address,
    ),
  );
};

/** `signup`, `kyc verify`, `faucet`. */
export const accountCommands: AddCommand = (program, reports) => {
  const signup = withExamples(
    program
      .command("signup")
      .description("create an account for this wallet and register it on chain (safe to repeat)")
      .requiredOption("--handle <handle>", "the account's handle")
      .addOption(new Option("--type <type>", "kind of account").choices(["personal", "business"]).default("personal")),
    "signup --handle alice",
    "signup --handle acme --type business --wallet-key-file acme.key",
  );
  signup.action(() =>
    reports.withClient(
      signup,
      (client) => client.account.create(signup.opts()),
      (result) => fields({ ...result }),
    ),
  );

  const kyc = withExamples(program.command("kyc").description("identity verification"), "kyc verify");
  const verify = withExamples(
    kyc.command("verify").description("verify your identity (a sandbox on the test network)"),
    "kyc verify",
  );
  verify.action(() =>
    reports.withClient(
      verify,
      (client) => client.account.verifyIdentity(),
      (result) => fields({ ...result }),
    ),
  );

  const faucet = withExamples(
    program
      .command("faucet")
      .description("get test money as a deposited balance (local stack)")
      .requiredOption("--amount <amount>", "how much, such as 1000 or 0.5", amountText)
      .option("--asset <asset>", "asset", "USDG"),
    "faucet --amount 1000",
    "faucet --amount 0.5 --asset ETH",
  );
  faucet.action(() =>
    reports.withClient(
      faucet,
      (client) => client.testHelpers.faucet(faucet.opts()),
      (result) => fields({ ...result }),
    ),
  );
};

/** `keys create`, `keys list`, `keys revoke`. */
export const keyCommands: AddCommand = (program, reports) => {
  const keys = withExamples(program.command("keys").description("API keys"), "keys create --label server", "keys list");
  const create = withExamples(
    keys
      .command("create")
      .description("create an API key on this machine; it is shown once")
      .requiredOption("--label <label>", "what the key is for")
      .option("--expires-in <span>", "how long it works, such as 30d or 12h")
      .option("--agent <name>", "the key pays from this agent only, within its policy")
      .addOption(
        new Option(
          "--blind",
          "a blind key, with a home key: payments are built on your machine, and the service sees no amount",
        ).conflicts("plain"),
      )
      .option(
        "--plain",
        "a key for any HTTP client, with which the service decrypts the balance to pay (the default without a terminal)",
      )
      .option("--schedule <id>", "the key pays the runs of this schedule, and does nothing else")
      .option("--scope <scope>", SCOPE_HELP, scopesOf)
      .option(
        "--allow-ips <ranges>",
        "IP addresses and ranges the key works from, such as 203.0.113.0/24,2001:db8::1",
        namesOf,
      ),
    "keys create --label server --expires-in 90d",
    "keys create --label shop --scope payments --allow-ips 203.0.113.0/24",
    "keys create --label bot --agent bot --json",
    "keys create --label shop --blind",
    "keys create --label bot --agent bot --blind",
  );
  const showCreated = (result: CreatedKey) => {
    const copy = result.home_key
      ? "Copy both now: you can't see them again. Set HALCYON_API_KEY and HALCYON_HOME_KEY; send the home key to no one."
      : "Copy the key now. You can't see it again.";
    return `${fields({ ...result })}\n\n${copy}`;
  };
  create.action(() =>
    reports.withClient(
      create,
      async (client) => {
        const { label, expiresIn, agent, schedule, scope, allowIps, blind: named, plain } = create.opts();
        const isOpen = named === undefined && plain === undefined && !schedule && needsSecret(scope ?? null);
        const blind = isOpen ? await asksForBlind() : named;
        return client.keys.create({
          label,
          expiresIn,
          agent,
          schedule,
          blind,
          scopes: scope ?? undefined,
          allowedIps: allowIps,
        });
      },
      showCreated,
    ),
  );

  const list = withExamples(
    pageOptions(keys.command("list").description("list the keys of the account and its agents")).option(
      "--agent <name>",
      "only this agent",
    ),
    "keys list",
    "keys list --agent bot",
  );
  list.action(() =>
    reports.withClient(
      list,
      (client) => client.keys.list(list.opts()),
      (result) =>
        `${table(
          ["id", "agent", "label", "kind", "key", "scopes", "created", "expires", "last used", "revoked", "requests"],
          result.keys.map((key) => [
            key.key_id,
            key.agent,
            key.label,
            key.kind,
            `${key.prefix}…${key.last_four}`,
            key.scopes?.join(",") ?? "all",
            time(key.created_at),
            time(key.expires_at),
            time(key.last_used_at),
            time(key.revoked_at),
            String(key.requests ?? 0),
          ]),
          "No keys yet. Create one with: halcyon keys create --label x",
        )}${moreOf(result)}`,
    ),
  );

  const revoke = withExamples(
    keys.command("revoke").description("revoke a key immediately").argument("<id>", "the key's id"),
    "keys revoke key_01M7Y0D782DCT0HV92M2GAZR6T",
  );
  revoke.action((id: string) =>
    reports.withClient(
      revoke,
      (client) => client.keys.revoke(id),
      (result) => fields({ ...result }),
    ),
  );
};

const PRESETS = Object.keys(SCOPE_PRESETS).join(", ");
const SCOPES = KEY_SCOPES.join(", ");

const SCOPE_HELP = `what the key may do: ${PRESETS}; or any of ${SCOPES}, separated by commas (default: full)`;

/** Parses the scopes of an option, as a preset or one by one. Null means no limit. */
function scopesOf(text: string): readonly KeyScope[] | null {
  if (Object.hasOwn(SCOPE_PRESETS, text)) return SCOPE_PRESETS[text as ScopePreset];
  const names = [...new Set(namesOf(text))];
  const known = KEY_SCOPES.filter((scope) => names.includes(scope));
  if (known.length > 0 && known.length === names.length) return known;
  throw new InvalidArgumentError(`Name a preset (${PRESETS}) or scopes (${SCOPES}).`);
}
