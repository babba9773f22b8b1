import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { NETWORKS } from "@/lib/network";
import type { Halcyon } from "../client";
import { HalcyonError, toHalcyonError } from "../errors";
import { clientFrom, type GlobalOptions } from "./environment";
import { errorText } from "./output";

/** Where a run of the command line writes. */
export interface Streams {
  out(text: string): void;
  err(text: string): void;
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
      "file with the wallet key (else HALCYON_WALLET_KEY, then what `wallet new` made)",
    )
    .option("--url <url>", "address of the service (else HALCYON_URL, then http://localhost:3000)")
    .addOption(new Option("--network <network>", "network").choices([...NETWORKS]).default("test"))
    .option("--json", "print exactly one JSON document");
}

function makeProgram(commands: AddCommand[], streams: Streams): Command {
  const program = globalOptions(new Command("halcyon"))
    .description("Confidential payments from the command line. Amounts are opened on this machine only.")
    .configureHelp({ showGlobalOptions: true })
    // Errors are reported in one place, in one shape.
    .configureOutput({ writeOut: streams.out, writeErr: () => {} })
    .exitOverride()
    .showSuggestionAfterError();
  const reports: Reports = {
    local: async (command, work, show) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const result = await work(options);
      streams.out(`${options.json ? JSON.stringify(result) : show(result)}\n`);
    },
    withClient: (command, work, show) =>
      reports.local(command, async (options) => work(await clientFrom(options)), show),
    streaming: async (command, work, show) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      await work(await clientFrom(options), (news) => {
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
  return new HalcyonError("invalid_request", message === "(outputHelp)" ? "Name a command; see --help." : message);
}

/**
 * Runs one command line.
 *
 * @param args as after the program's name
 * @returns the exit status: 0, or 1 with the error on `streams.err`
 */
export async function runCommandLine(args: string[], commands: AddCommand[], streams: Streams): Promise<0 | 1> {
  const program = makeProgram(commands, streams);
  try {
    if (args.length === 0) {
      streams.out(program.helpInformation());
      return 0;
    }
    await program.parseAsync(args, { from: "user" });
    return 0;
  } catch (thrown) {
    const error = thrown instanceof CommanderError ? usageError(thrown) : toHalcyonError(thrown);
    if (!error) return 0;
    streams.err(`${errorText(error, args.includes("--json"))}\n`);
    return 1;
  }
}
