import { stripVTControlCharacters } from "node:util";
import { type Command, CommanderError } from "commander";
import { HalcyonError } from "@/sdk/api/errors";
import { COMMANDS } from "@/sdk/cli/commands";
import type { ExitStatus } from "@/sdk/cli/exit-status";
import { makeProgram, runCommandLine } from "@/sdk/cli/program";
import { SILENT } from "@/sdk/cli/progress";

/** How a command line ended, and what it printed, without color. */
interface Ended {
  status: ExitStatus;
  out: string;
  err: string;
}

/** Runs a command line in this process, with this process's environment. */
export function halcyon(...args: string[]): Promise<Ended> {
  return commandLine(args, process.env);
}

/** Runs a command line in this process, with an environment of its own. */
export async function commandLine(args: string[], variables: Record<string, string | undefined>): Promise<Ended> {
  const printed = { out: "", err: "" };
  const out = (text: string) => {
    printed.out += stripVTControlCharacters(text);
  };
  const err = (text: string) => {
    printed.err += stripVTControlCharacters(text);
  };
  const status = await runCommandLine(args, COMMANDS, { out, err, progress: SILENT }, variables);
  return { status, ...printed };
}

/** Returns the whole program, and every command and group by its words. */
export function everyCommand(): { program: Command; commands: [path: string, command: Command][] } {
  const program = makeProgram(COMMANDS, { out: () => {}, err: () => {}, progress: SILENT }, {});
  const below = (command: Command, path: string): [string, Command][] => [
    [path, command],
    ...command.commands.flatMap((each) => below(each, `${path} ${each.name()}`.trim())),
  ];
  return { program, commands: below(program, "") };
}

/** Splits a command line into words like a shell: with single quotes, and without anything after a redirection. */
export function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
  const end = words.indexOf(">");
  return end < 0 ? words : words.slice(0, end);
}

/** Returns the examples in a help text, without the program's name. */
export function examplesIn(help: string): string[] {
  return [...help.matchAll(/^ {2}\$ halcyon (.+)$/gm)].map(([, line]) => line ?? "");
}

/** Returns true if commander accepts the words, otherwise its message. Runs nothing. */
export async function parses(words: string[]): Promise<true | string> {
  const { program } = everyCommand();
  const parsed = new Error("parsed");
  program.hook("preAction", () => {
    throw parsed;
  });
  try {
    await program.parseAsync(words, { from: "user" });
    return true;
  } catch (error) {
    if (error === parsed) return true;
    if (error instanceof CommanderError || error instanceof HalcyonError) return error.message;
    throw error;
  }
}
