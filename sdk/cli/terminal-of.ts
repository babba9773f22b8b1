import { stripVTControlCharacters } from "node:util";
import { EXIT, type ExitStatus } from "./exit-status";
import type { Streams } from "./program";
import { SILENT, terminalProgress } from "./progress";
import { showsColour } from "./style";

/** The terminal of one run, or whatever stands in its place. */
export interface Terminal extends Streams {
  /** The status to end with, given the command's own: output that could not be written is no success. */
  ending(status: ExitStatus): ExitStatus;
}

/** Standard output and standard error of this process, with colour where they show any. */
export function terminalOf({ stdout, stderr }: Pick<NodeJS.Process, "stdout" | "stderr">): Terminal {
  const closed = new AbortController();
  let unwritten: ExitStatus = EXIT.done;
  let interrupt: AbortController | undefined;
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (unwritten !== EXIT.done) return;
    unwritten = error.code === "EPIPE" ? EXIT.closedPipe : EXIT.internal;
    // Nothing can be said about a reader who has seen enough (`halcyon transfers | head`).
    if (unwritten === EXIT.internal) stderr.write(`error: the output can't be written (${error.code}).\n`);
    closed.abort();
    // The error can arrive after the command's last output.
    process.exitCode ||= unwritten;
  });
  // With no reader, the exit status alone shows how the command ended.
  stderr.on("error", () => {});

  const write = (stream: NodeJS.WriteStream, text: string) =>
    stream.write(showsColour(stream) ? text : stripVTControlCharacters(text));
  return {
    out: async (text) => {
      // A long list waits for a slow reader instead of piling up here.
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
        // What does not end by itself is ended by the second Ctrl-C.
        process.once("SIGINT", () => process.exit(EXIT.interrupted));
      });
      interrupt = controller;
      return controller.signal;
    },
    ending: (status) => (status === EXIT.done ? unwritten : status),
  };
}
