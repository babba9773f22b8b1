import { COMMANDS } from "./commands";
import { runCommandLine } from "./program";
import { terminalOf } from "./terminal-of";

const terminal = terminalOf(process);
/** Resolves when the command has ended. */
export const ended = runCommandLine(process.argv.slice(2), COMMANDS, terminal, process.env).then((status) => {
  process.exitCode = terminal.ending(status);
});
