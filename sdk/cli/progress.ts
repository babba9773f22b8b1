import type { HalcyonOptions } from "../platform/node-context";

/** Says what a command waits for. */
export interface Progress {
  /** From now on it waits for this. `blocks`: the thread will be busy, so it is shown at once or not at all. */
  say(what: string, blocks?: boolean): void;
  /** Takes the line away. */
  done(): void;
}

/** For what is no terminal. */
export const SILENT: Progress = { say: () => {}, done: () => {} };

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;
/** What takes less than this is not worth a line that flickers. */
const PATIENCE_MS = 300;
const CLEAR_LINE = "\r\u001b[2K";

/** A line on a terminal that moves while a command waits, and says for what and since when. */
export function terminalProgress(write: (text: string) => void): Progress {
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

/** Options of a client whose requests and proofs report to a progress what is waited for. */
export function telling(progress: Progress): Required<Pick<HalcyonOptions, "fetch" | "prove">> {
  let before = "";
  let prover: Promise<ReturnType<typeof import("@/lib/prover/create-local-prover").createLocalProver>> | undefined;
  return {
    async fetch(input, init) {
      const url = addressOf(input);
      const request = `${init?.method ?? "GET"} ${url}`;
      // Only what waits for the chain asks the same again.
      const polls = request === before && request.startsWith("GET ");
      before = request;
      progress.say(polls ? "waiting for the chain" : `asking ${url.host}`);
      const response = await fetch(input, init);
      if (!polls) progress.say("reading the chain");
      return response;
    },
    async prove(circuit, input) {
      progress.say(`making a proof on this machine (${circuit})`, true);
      prover ??= import("@/lib/prover/create-local-prover").then(({ createLocalProver }) => createLocalProver());
      const proof = await (await prover).prove(circuit, input);
      progress.say("reading the chain");
      return proof;
    },
  };
}
