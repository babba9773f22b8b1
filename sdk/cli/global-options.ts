import { type Command, InvalidArgumentError, Option } from "commander";
import { NETWORKS } from "@/lib/base/network";
import { EXIT_MEANINGS } from "./exit-status";
import { bold } from "./style";

const UNITS = { ms: 1, s: 1_000, m: 60_000 } as const;
/** The longest delay that JavaScript timers support. */
const LONGEST_MS = 2_147_483_647;

/** Parses a time span option into milliseconds: `30`, `30s`, `500ms` or `2m`. A number without a unit is in seconds. */
export function span(text: string): number {
  const [, digits, unit = "s"] = /^(\d{1,7}(?:\.\d{1,3})?)(ms|s|m)?$/.exec(text) ?? [];
  const milliseconds = Math.round(Number(digits) * UNITS[unit as keyof typeof UNITS]);
  if (milliseconds > 0 && milliseconds <= LONGEST_MS) return milliseconds;
  throw new InvalidArgumentError("It must be a time such as 30 (seconds), 30s, 500ms or 2m.");
}

/** Adds the options that every command has. */
export function globalOptions(command: Command): Command {
  return command
    .option(
      "--wallet-key-file <file>",
      "file with the wallet key (default: HALCYON_WALLET_KEY, then the file `wallet new` created)",
    )
    .option(
      "--viewing-key-file <file>",
      "file with a viewing key, to read amounts without the wallet (default: HALCYON_VIEWING_KEY)",
    )
    .option("--url <url>", "address of the service (default: HALCYON_URL, then http://localhost:3000)")
    .addOption(new Option("--network <network>", "network (default: the profile's, then test)").choices([...NETWORKS]))
    .option("--profile <name>", "profile to act as (default: HALCYON_PROFILE, then `profiles use`)")
    .option("--timeout <time>", "longest time for one request, such as 30, 30s, 500ms or 2m (default: 80s)", span)
    .option("--wait-timeout <time>", "longest wait until something is final on chain (default: 10m)", span)
    .option("--json", "print exactly one JSON document; a command that goes on prints one a line")
    .option("--field <name>", "print one field of that document and nothing else, such as api_key");
}

/** The sections that the program's help shows after the options. */
export const ORDER = `
${bold("Precedence:")}
  Options override variables (HALCYON_WALLET_KEY, HALCYON_VIEWING_KEY, HALCYON_API_KEY, HALCYON_URL, HALCYON_RPC_URL; and
  HALCYON_HOME_KEY beside a blind API key), and variables override the default profile (HALCYON_PROFILE, or \`profiles use\`). A profile named with --profile overrides
  variables.
  The passphrase of an encrypted wallet: HALCYON_WALLET_PASSPHRASE, the file HALCYON_WALLET_PASSPHRASE_FILE, or a prompt.
  NO_COLOR and FORCE_COLOR are honoured. HALCYON_CONFIG_DIR moves this machine's configuration.

${bold("Exit status:")}
${EXIT_MEANINGS.map(([status, meaning]) => `  ${String(status).padEnd(3)}  ${meaning}`).join("\n")}`;
