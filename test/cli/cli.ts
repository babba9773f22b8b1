import { stripVTControlCharacters } from "node:util";
import { type Command, CommanderError } from "commander";
import { HalcyonError } from "@/sdk/api/errors";
import { COMMANDS } from "@/sdk/cli/commands";
import type { ExitStatus } from "@/sdk/cli/exit-status";
import { makeProgram, runCommandLine } from "@/sdk/cli/program";
import { SILENT } from "@/sdk/cli/progress";

/** What a command line of this process printed, without colour. */
export async function halcyon(...args: string[]): Promise<{ status: ExitStatus; out: string; err: string }> {
  const printed = { out: "", err: "" };
  const status = await runCommandLine(args, COMMANDS, {
    out: (text) => {
      printed.out += stripVTControlCharacters(text);
    },
    err: (text) => {
      printed.err += stripVTControlCharacters(text);
    },
    progress: SILENT,
  });
  return { status, ...printed };
}

/** The whole program, and every command and group of it under its words. */
export function everyCommand(): { program: Command; commands: [path: string, command: Command][] } {
  const program = makeProgram(COMMANDS, { out: () => {}, err: () => {}, progress: SILENT });
  const below = (command: Command, path: string): [string, Command][] => [
    [path, command],
    ...command.commands.flatMap((each) => below(each, `${path} ${each.name()}`.trim())),
  ];
  return { program, commands: below(program, "") };
}

/** Words of a command line as a shell splits them: single quotes, and nothing after a redirection. */
export function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
  const end = words.indexOf(">");
  return end < 0 ? words : words.slice(0, end);
}

/** The examples a help text shows, without the program's name. */
export function examplesIn(help: string): string[] {
  return [...help.matchAll(/^ {2}\$ halcyon (.+)$/gm)].map(([, line]) => line ?? "");
}

/** Whether commander takes the words; nothing is run. */
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
