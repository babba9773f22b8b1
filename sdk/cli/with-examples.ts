import type { Command } from "commander";
import { bold } from "./style";

/** Adds examples to a command's help: command lines without the program's name. */
export function withExamples(command: Command, ...lines: [string, ...string[]]): Command {
  const shown = lines.map((line) => `  $ halcyon ${line}`).join("\n");
  return command.addHelpText("after", `\n${bold("Examples:")}\n${shown}`);
}
