import { log } from "./log";

const LEVELS = { error: "error", warn: "warn", log: "info", info: "info", debug: "debug", trace: "debug" } as const;

/**
 * Has what libraries write to the console, and Node's own warnings, go through the logger: a line of JSON each, with
 * the kind and place of an error. Their texts are left out, for they quote what was sent ("Unexpected token … is not
 * valid JSON").
 *
 * @param target the console, and a logger where a test reads the lines
 */
export function logConsole(target: Pick<Console, keyof typeof LEVELS> = console, logger = log): void {
  for (const [name, level] of Object.entries(LEVELS) as [keyof typeof LEVELS, (typeof LEVELS)[keyof typeof LEVELS]][]) {
    target[name] = (...words: unknown[]) => {
      const err = words.find((word) => word instanceof Error) ?? new ConsoleText();
      logger()[level]({ err }, "a library wrote to the console");
    };
  }
}

/** As {@link logConsole}, for the warnings that Node would print by itself. */
export function logWarnings(): void {
  process.removeAllListeners("warning");
  process.on("warning", (err) => log().warn({ err }, "a warning of Node"));
}

/** Stands for a text: shows who wrote it. */
class ConsoleText extends Error {
  override readonly name = "ConsoleText";
}
