import { log } from "./log";

const LEVELS = { error: "error", warn: "warn", log: "info", info: "info", debug: "debug", trace: "debug" } as const;

/**
 * Sends what libraries write to the console, and Node's own warnings, through the logger: one line of JSON each, with
 * the kind and location of an error. Texts are left out, because they quote input ("Unexpected token … is not valid
 * JSON").
 *
 * @param target the console; tests pass their own, and a logger to read the lines
 */
export function logConsole(target: Pick<Console, keyof typeof LEVELS> = console, logger = log): void {
  for (const [name, level] of Object.entries(LEVELS) as [keyof typeof LEVELS, (typeof LEVELS)[keyof typeof LEVELS]][]) {
    target[name] = (...words: unknown[]) => {
      const err = words.find((word) => word instanceof Error) ?? new ConsoleText();
      logger()[level]({ err }, "a library wrote to the console");
    };
  }
}

/** Like {@link logConsole}, for the warnings that Node prints by itself. */
export function logWarnings(): void {
  process.removeAllListeners("warning");
  process.on("warning", (err) => log().warn({ err }, "a warning of Node"));
}

/** Stands in for a text. Its stack shows who wrote it. */
class ConsoleText extends Error {
  override readonly name = "ConsoleText";
}
