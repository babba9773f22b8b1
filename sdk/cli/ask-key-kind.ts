import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { HalcyonError } from "../api/errors";

type Stream<T> = T & { isTTY?: boolean };

/** What a person types at, and reads. */
export interface Asked {
  stdin: Stream<Readable>;
  stdout: { isTTY?: boolean };
  stderr: Stream<Writable>;
}

const QUESTION =
  "Does our SDK, command line or proxy pay with it (blind: the service sees no amount), or another HTTP client (plain)?";

/**
 * Asks a person which kind of key to create. An empty line is a blind one, as in the dashboard's form.
 *
 * @returns false without a terminal, or if a program reads what is printed
 * @throws HalcyonError `invalid_request` if the input ends
 */
export async function asksForBlind({ stdin, stdout, stderr }: Asked = process): Promise<boolean> {
  if (!stdin.isTTY || !stdout.isTTY || !stderr.isTTY) return false;
  const terminal = createInterface({ input: stdin, output: stderr });
  terminal.setPrompt(`${QUESTION} [blind/plain] `);
  terminal.prompt();
  try {
    for await (const line of terminal) {
      const kind = ["blind", "plain"].find((one) => one.startsWith(line.trim().toLowerCase()));
      if (kind) return kind === "blind";
      terminal.prompt();
    }
  } finally {
    terminal.close();
  }
  throw new HalcyonError("invalid_request", "Nothing was created. Name the kind of key with --blind or --plain.");
}
