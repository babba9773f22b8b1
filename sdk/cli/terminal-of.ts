import { stripVTControlCharacters } from "node:util";
import { HARMFUL } from "@/lib/base/harmful-characters";
import { EXIT, type ExitStatus } from "./exit-status";
import type { Streams } from "./program";
import { SILENT, terminalProgress } from "./progress";
import { showsColour } from "./style";

/** Our own codes, captured, and what else would drive a terminal: JSON and a seller's response hold others' texts. */
const FOREIGN = new RegExp(`(\\u001b\\[\\d+m)|${HARMFUL.source}`, HARMFUL.flags);

/** The terminal of one run, or the files or pipes used in its place. */
export interface Terminal extends Streams {
  /** Returns the exit status, given the command's own: if the output could not be written, the run has failed. */
  ending(status: ExitStatus): ExitStatus;
}

/** Returns this process's standard output and standard error, with colour if they show it. */
export function terminalOf({ stdout, stderr }: Pick<NodeJS.Process, "stdout" | "stderr">): Terminal {
  const closed = new AbortController();
  let unwritten: ExitStatus = EXIT.done;
  let interrupt: AbortController | undefined;
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (unwritten !== EXIT.done) return;
    unwritten = error.code === "EPIPE" ? EXIT.closedPipe : EXIT.internal;
    // Say nothing if the reader closed the pipe because it has seen enough (`halcyon transfers | head`).
    if (unwritten === EXIT.internal) stderr.write(`error: the output can't be written (${error.code}).\n`);
    closed.abort();
    // The error can arrive after the command's last output.
    process.exitCode ||= unwritten;
  });
  // If no one reads standard error, only the exit status shows how the command ended.
  stderr.on("error", () => {});

  const write = (stream: NodeJS.WriteStream, text: string) => {
    const colored = showsColour(stream) ? text : stripVTControlCharacters(text);
    return stream.write(stream.isTTY ? colored.replace(FOREIGN, (_, own = "\ufffd") => own) : colored);
  };
  return {
    out: async (text) => {
      // Wait for a slow reader, so that a long list doesn't pile up in memory.
      if (write(stdout, text) || closed.signal.aborted) return;
      await new Promise<void>((resolve) => {
        stdout.once("drain", resolve);
        closed.signal.addEventListener("abort", () => resolve(), { once: true });
      });
    },
    err: (text) => void write(stderr, text),
    progress: stderr.isTTY ? terminalProgress((text) => void stderr.write(text)) : SILENT,
    closed: closed.signal,
    interrupted() {
      if (interrupt) return interrupt.signal;
      const controller = new AbortController();
      process.once("SIGINT", () => {
        controller.abort();
        // The second Ctrl-C ends a command that doesn't stop by itself.
        process.once("SIGINT", () => process.exit(EXIT.interrupted));
      });
      interrupt = controller;
      return controller.signal;
    },
    ending: (status) => (status === EXIT.done ? unwritten : status),
  };
}
