import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { NETWORKS } from "@/lib/network";
import { version } from "@/package.json";
import { HalcyonError } from "../api/errors";
import { toHalcyonError } from "../api/to-halcyon-error";
import { OutcomeUnknown, ResponseLost } from "../attempts/outcome-unknown";
import type { Halcyon } from "../client";
import { clientFrom, type GlobalOptions } from "./environment";
import { withExamples } from "./examples";
import { errorText } from "./output";
import type { Progress } from "./progress";
import { bold } from "./style";

/** Where a run of the command line writes. Texts are marked for colour; a stream that shows none removes the marks. */
export interface Streams {
  out(text: string): void;
  err(text: string): void;
  progress: Progress;
}

/** Turns a command's work into output: exactly one JSON document with `--json`, else text for people. */
export interface Reports {
  withClient<T>(command: Command, work: (client: Halcyon) => Promise<T>, show: (result: T) => string): Promise<void>;
  /** Of a command that goes on until it is ended: a line, or with `--json` a document, for each piece of news. */
  streaming<T>(
    command: Command,
    work: (client: Halcyon, tell: (news: T) => void) => Promise<void>,
    show: (news: T) => string,
  ): Promise<void>;
  /** Of a command that speaks to nobody. */
  local<T>(command: Command, work: (options: GlobalOptions) => Promise<T>, show: (result: T) => string): Promise<void>;
}

/** Registers one command (or a group) on the program. */
export type AddCommand = (program: Command, reports: Reports) => void;

/** A non-negative integer option. */
export function integer(text: string): number {
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number.");
}

function globalOptions(command: Command): Command {
  return command
    .option(
      "--wallet-key-file <file>",
      "file with the wallet key (default: HALCYON_WALLET_KEY, then the file `wallet new` created)",
    )
    .option("--url <url>", "address of the service (default: HALCYON_URL, then http://localhost:3000)")
    .addOption(new Option("--network <network>", "network (default: the profile's, then test)").choices([...NETWORKS]))
    .option("--profile <name>", "profile to act as (default: HALCYON_PROFILE, then `profiles use`)")
    .option("--json", "print exactly one JSON document");
}

const ORDER = `
${bold("Precedence:")}
  Options override variables (HALCYON_WALLET_KEY, HALCYON_API_KEY, HALCYON_URL, HALCYON_RPC_URL), and variables override
  the default profile (HALCYON_PROFILE, or \`profiles use\`). A profile named with --profile overrides variables.
  The passphrase of an encrypted wallet: HALCYON_WALLET_PASSPHRASE, the file HALCYON_WALLET_PASSPHRASE_FILE, or a prompt.
  Exit status: 0 done, 1 refused or failed, 2 not yet known whether money moved (the message says how to find out).
  NO_COLOR and FORCE_COLOR are honoured. HALCYON_CONFIG_DIR moves this machine's configuration.`;

/** Commander's program, which runs nothing yet: the tree of commands with their options and help. */
export function makeProgram(commands: readonly AddCommand[], streams: Streams): Command {
  const program = globalOptions(new Command("halcyon"))
    .description("Confidential payments from the command line. Amounts are decrypted on this machine only.")
    .version(version, "--version", "print the version")
    .configureHelp({ showGlobalOptions: true, styleTitle: bold })
    // Errors are reported in one place, in one shape.
    .configureOutput({ writeOut: streams.out, writeErr: () => {}, getOutHasColors: () => true })
    .exitOverride()
    .showSuggestionAfterError();
  withExamples(
    program,
    "wallet new --wallet-key-file alice.key",
    "signup --handle alice --wallet-key-file alice.key",
    "send --to @bob --amount 25 --memo lunch",
  ).addHelpText("after", ORDER);
  const report = async <T>(
    command: Command,
    work: (options: GlobalOptions) => Promise<T>,
    show: (done: T) => string,
  ) => {
    const options = command.optsWithGlobals<GlobalOptions>();
    const result = await work(options).finally(() => streams.progress.done());
    streams.out(`${options.json ? JSON.stringify(result) : show(result)}\n`);
  };
  const reports: Reports = {
    local: report,
    withClient: (command, work, show) =>
      report(
        command,
        async (options) => {
          streams.progress.say("reading the chain");
          return work(await clientFrom(options, streams.progress));
        },
        show,
      ),
    streaming: async (command, work, show) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      // What goes on until it is ended waits for the service by itself, and says so.
      const client = await clientFrom(options, undefined, undefined, { maxRetries: 0 });
      await work(client, (news) => {
        streams.out(`${options.json ? JSON.stringify(news) : show(news)}\n`);
      });
    },
  };
  for (const add of commands) add(program, reports);
  return program;
}

/** Commander's own refusals of the command line, as errors of ours. Null for help and version, which are none. */
function usageError(error: CommanderError): HalcyonError | null {
  if (error.exitCode === 0) return null;
  const message = error.message.replace(/^error: /, "").replace(/\n/g, " ");
  return new HalcyonError("invalid_request", message === "(outputHelp)" ? "Name a command. See --help." : message);
}

/** Whether an error leaves open what happened. */
function isUnknown(error: HalcyonError): boolean {
  return error instanceof OutcomeUnknown || error instanceof ResponseLost;
}

/**
 * Runs one command line.
 *
 * @param args as after the program's name
 * @returns the exit status: 0; 1 with the error on `streams.err`; 2 if it is not yet known whether money moved
 */
export async function runCommandLine(
  args: string[],
  commands: readonly AddCommand[],
  streams: Streams,
): Promise<0 | 1 | 2> {
  const program = makeProgram(commands, streams);
  try {
    if (args.length === 0) {
      program.outputHelp();
      return 0;
    }
    await program.parseAsync(args, { from: "user" });
    return 0;
  } catch (thrown) {
    const error = thrown instanceof CommanderError ? usageError(thrown) : toHalcyonError(thrown);
    if (!error) return 0;
    streams.err(`${errorText(error, args.includes("--json"))}\n`);
    return isUnknown(error) ? 2 : 1;
  }
}
