import { stripVTControlCharacters } from "node:util";
import { COMMANDS } from "./commands";
import { runCommandLine } from "./program";
import { SILENT, terminalProgress } from "./progress";
import { showsColour } from "./style";

/** Writes to a stream of the process, with colour where it shows any. */
function writer(stream: NodeJS.WriteStream): (text: string) => void {
  const colour = showsColour(stream);
  return (text) => void stream.write(colour ? text : stripVTControlCharacters(text));
}

const { stdout, stderr } = process;
for (const stream of [stdout, stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // Whoever read the output has seen enough (`halcyon --help | head`); what the command does goes on.
    if (error.code !== "EPIPE") throw error;
  });
}
/** Settles when the command has ended. */
export const ended = runCommandLine(process.argv.slice(2), COMMANDS, {
  out: writer(stdout),
  err: writer(stderr),
  progress: stderr.isTTY ? terminalProgress((text) => void stderr.write(text)) : SILENT,
}).then((status) => {
  process.exitCode = status;
});
