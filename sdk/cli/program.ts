import { Command, CommanderError } from "commander";
import { HalcyonError } from "../api/errors";
import type { Paged, PageInfo } from "../api/paged";
import { toHalcyonError } from "../api/to-halcyon-error";
import type { Halcyon } from "../client";
import type { Variables } from "../context/platform/config-dir";
import { SDK_VERSION } from "../context/platform/sdk-version";
import { closest } from "./closest";
import { type Access, clientFrom, type GlobalOptions } from "./environment";
import { EndedWith, EXIT, type ExitStatus, exitStatusOf } from "./exit-status";
import { fieldOf } from "./field-of";
import { globalOptions, ORDER } from "./global-options";
import { everything, firstPage, type Listing, type ListOptions, type PageOptions, pageText } from "./listing";
import { errorText } from "./output";
import type { CommandProgress } from "./progress";
import { resolveNames } from "./resolve-names";
import { bold } from "./style";
import { withExamples } from "./with-examples";

/** The outputs of a command line run. Texts contain colour codes; a stream without colour removes them. */
export interface Streams {
  /** Resolves when more can be written. */
  out(text: string): void | Promise<void>;
  err(text: string): void;
  progress: CommandProgress;
  /** Aborts when the reader closes the output, so that a continuing command ends. */
  closed?: AbortSignal;
  /** After the first call, Ctrl-C aborts this signal instead of ending the program at once. */
  interrupted?(): AbortSignal;
}

/**
 * Runs a command's work and prints the result: one JSON document with `--json`, one field with `--field`, otherwise
 * text.
 */
export interface Reports {
  withClient<T>(
    command: Command,
    work: (client: Halcyon, access: Access, say: (what: string) => void) => Promise<T>,
    show: (result: T) => string,
    /** Returns the exit status of a result that was printed. Default: 0. */
    statusOf?: (result: T) => ExitStatus,
  ): Promise<void>;
  /** For a command that prints a list: a page, or with `--all` everything as it is read. */
  listing<Page extends PageInfo, Entry>(
    command: Command,
    read: (client: Halcyon, page: PageOptions, access: Access) => Paged<Page, Entry>,
    listing: Listing<Entry>,
  ): Promise<void>;
  /** For a command that runs until it is stopped: prints a line, or with `--json` a document, for each item. */
  streaming<T>(
    command: Command,
    work: (client: Halcyon, tell: (news: T) => void, closed?: AbortSignal) => Promise<void>,
    show: (news: T) => string,
  ): Promise<void>;
  /** Like `streaming`, for a command that needs no client of its own. */
  serving<T>(
    command: Command,
    work: (options: GlobalOptions, tell: (news: T) => void, closed?: AbortSignal) => Promise<void>,
    show: (news: T) => string,
  ): Promise<void>;
  /** For a command that shows no progress. */
  local<T>(command: Command, work: (options: GlobalOptions) => Promise<T>, show: (result: T) => string): Promise<void>;
}

/** Registers one command (or a group) on the program, for these variables of the environment. */
export type AddCommand = (program: Command, reports: Reports, variables: Variables) => void;

/** Formats a result as the options require: one field, a JSON document, or text. */
function shown<T>(result: T, { field, json }: GlobalOptions, show: (result: T) => string): string {
  if (field !== undefined) return fieldOf(result, field);
  return json ? JSON.stringify(result) : show(result);
}

/** Creates Commander's program without running it: the tree of commands with their options and help. */
export function makeProgram(commands: readonly AddCommand[], streams: Streams, variables: Variables): Command {
  const program = globalOptions(new Command("halcyon"))
    .description("Confidential payments from the command line. Amounts are decrypted on this machine only.")
    .version(SDK_VERSION, "--version", "print the version")
    .configureHelp({ showGlobalOptions: true, styleTitle: bold })
    // Errors are printed in one place, in one format.
    .configureOutput({ writeOut: (text) => void streams.out(text), writeErr: () => {}, getOutHasColors: () => true })
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
    statusOf?: (done: T) => ExitStatus,
  ) => {
    const options = command.optsWithGlobals<GlobalOptions>();
    const result = await work(options).finally(() => streams.progress.done());
    await streams.out(`${shown(result, options, show)}\n`);
    const status = statusOf?.(result) ?? EXIT.done;
    if (status !== EXIT.done) throw new EndedWith(status);
  };
  const { progress, interrupted } = streams;
  const reports: Reports = {
    local: report,
    withClient: (command, work, show, statusOf) =>
      report(
        command,
        async (options) => {
          streams.progress.say("reading the chain");
          const { client, access } = await clientFrom(options, variables, { progress, signal: interrupted });
          return work(client, access, (what) => streams.progress.say(what));
        },
        show,
        statusOf,
      ),
    listing: async (command, read, listing) => {
      const options = command.optsWithGlobals<GlobalOptions & ListOptions>();
      const first = firstPage(options);
      streams.progress.say("reading the chain");
      try {
        const { client, access } = await clientFrom(options, variables, { progress, signal: interrupted });
        const list = read(client, first, access);
        if (!options.all) {
          const page = await list;
          streams.progress.done();
          const text = () => pageText(page, listing, options.csv);
          return void (await streams.out(options.csv ? text() : `${shown(page, options, () => text().trimEnd())}\n`));
        }
        for await (const part of everything(list, listing, options)) {
          streams.progress.done();
          await streams.out(part);
          if (streams.closed?.aborted) return;
        }
      } finally {
        streams.progress.done();
      }
    },
    serving: async (command, work, show) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const tell = (news: Parameters<typeof show>[0]) => void streams.out(`${shown(news, options, show)}\n`);
      await work(options, tell, streams.closed);
    },
    streaming: async (command, work, show) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      // Commands that run until they are stopped wait for the service themselves, and say so.
      const { client } = await clientFrom(options, variables, { maxRetries: 0 });
      const tell = (news: Parameters<typeof show>[0]) => void streams.out(`${shown(news, options, show)}\n`);
      await work(client, tell, streams.closed);
    },
  };
  for (const add of commands) add(program, reports, variables);
  nameOptions(program);
  return program;
}

/** Has each error about an option's value name the option, also where the value must not be repeated. */
function nameOptions(command: Command): void {
  for (const option of command.options) {
    const { parseArg: read, long } = option;
    if (!read) continue;
    option.parseArg = <T>(value: string, previous: T): T => {
      try {
        return read(value, previous) as T;
      } catch (error) {
        if (!(error instanceof HalcyonError) || error.message.includes(String(long))) throw error;
        throw new HalcyonError(error.code, `${long}: ${error.message}`, { cause: error });
      }
    };
  }
  for (const each of command.commands) nameOptions(each);
}

/** Adds the choice that was probably meant to Commander's message about a value that is none of them. */
function withClosest(message: string): string {
  const [, value, choices] = /'([^']+)' is invalid.*Allowed choices are (.*)\.$/.exec(message) ?? [];
  const meant = value && choices && closest(value, choices.split(", "));
  return meant ? `${message} Did you mean ${meant}?` : message;
}

/** Converts Commander's errors about the command line. Returns null for help and version, which are not errors. */
function usageError(error: CommanderError): HalcyonError | null {
  if (error.exitCode === 0) return null;
  const said = withClosest(error.message.replace(/^error: /, "").replace(/\n/g, " "));
  const message = error.code === "commander.unknownCommand" ? `${said} \`halcyon --help\` lists the commands.` : said;
  return new HalcyonError("invalid_request", message === "(outputHelp)" ? "Name a command. See --help." : message);
}

/**
 * Runs one command line.
 *
 * @param args the arguments after the program's name
 * @param variables the environment
 * @returns the exit status: 0, or the kind of the error that was written to `streams.err`
 */
export async function runCommandLine(
  args: string[],
  commands: readonly AddCommand[],
  streams: Streams,
  variables: Variables,
): Promise<ExitStatus> {
  const program = makeProgram(commands, streams, variables);
  try {
    if (args.length === 0) {
      program.outputHelp();
      return EXIT.done;
    }
    await program.parseAsync(resolveNames(program, args), { from: "user" });
    return EXIT.done;
  } catch (thrown) {
    if (thrown instanceof EndedWith) return thrown.status;
    const error = thrown instanceof CommanderError ? usageError(thrown) : toHalcyonError(thrown);
    if (!error) return EXIT.done;
    streams.err(`${errorText(error, args.includes("--json"))}\n`);
    return exitStatusOf(error);
  }
}
