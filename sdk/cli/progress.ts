import { machineFetch } from "@/lib/base/machine-fetch";
import type { HalcyonOptions } from "../context/platform/node-context";

/** Shows what a command is waiting for. */
export interface CommandProgress {
  /** Shows what the command is waiting for now. `blocks`: the thread will be busy, so show it at once or not at all. */
  say(what: string, blocks?: boolean): void;
  /** Removes the line. */
  done(): void;
}

/** For output that is not a terminal. */
export const SILENT: CommandProgress = { say: () => {}, done: () => {} };

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;
/** Waits shorter than this show no line, which would only flicker. */
const PATIENCE_MS = 300;
const CLEAR_LINE = "\r\u001b[2K";

/** Creates an animated line on a terminal that shows what a command is waiting for, and for how long. */
export function terminalProgress(write: (text: string) => void): CommandProgress {
  let what = "";
  let since = Date.now();
  let frame = 0;
  let drawn = false;
  let timer: NodeJS.Timeout | undefined;
  const start = Date.now();
  const draw = () => {
    const seconds = Math.floor((Date.now() - since) / 1000);
    write(`${CLEAR_LINE}${FRAMES[frame++ % FRAMES.length]} ${what}${seconds > 0 ? ` (${seconds} s)` : ""}`);
    drawn = true;
  };
  return {
    say(next, blocks = false) {
      if (next !== what) since = Date.now();
      what = next;
      timer ??= setInterval(() => {
        if (Date.now() - start >= PATIENCE_MS) draw();
      }, FRAME_MS).unref();
      if (blocks) draw();
    },
    done() {
      clearInterval(timer);
      timer = undefined;
      if (drawn) write(CLEAR_LINE);
      drawn = false;
    },
  };
}

const addressOf = (input: Parameters<typeof fetch>[0]) =>
  new URL(input instanceof Request ? input.url : input.toString());

/** Returns client options that show in `progress` what requests and proofs are waiting for. */
export function telling(progress: CommandProgress): Required<Pick<HalcyonOptions, "fetch" | "onProof">> {
  let before = "";
  return {
    async fetch(input, init) {
      const url = addressOf(input);
      const request = `${init?.method ?? "GET"} ${url}`;
      // Only polling for the chain repeats the same request.
      const polls = request === before && request.startsWith("GET ");
      before = request;
      progress.say(polls ? "waiting for the chain" : `asking ${url.host}`);
      const response = await machineFetch(input, init);
      if (!polls) progress.say("reading the chain");
      return response;
    },
    onProof(circuit) {
      progress.say(`making a proof on this machine (${circuit})`, true);
      return () => progress.say("reading the chain");
    },
  };
}
