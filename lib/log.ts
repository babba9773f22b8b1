import pino, { type DestinationStream, type Logger } from "pino";
import { logLevel } from "@/lib/env";

/**
 * Field names that never reach a log line, at any of the first four levels: amounts and what they could be found
 * from, secrets, credentials, bodies. Code should not log them at all; this is the second lock.
 */
export const REDACTED_FIELDS = [
  "amount",
  "amounts",
  "authorization",
  "apiKey",
  "api_key",
  "balance",
  "balances",
  "body",
  "budget",
  "budgetSecret",
  "cookie",
  "credit",
  "decryption_proof",
  "decryptionProof",
  "env",
  "held",
  "limit",
  "mac",
  "memo",
  "mnemonic",
  "newLimit",
  "note",
  "opening",
  "password",
  "pepper",
  "prepared",
  "privateKey",
  "private_key",
  "root",
  "salt",
  "salts",
  "secret",
  "seed",
  "session",
  "set-cookie",
  "signature",
  "spenderKey",
  "token",
  "units",
  "value",
  "viewingKey",
  "witness",
  "wrap",
] as const;

const LEVELS = ["", "*.", "*.*.", "*.*.*."];
const path = (field: string) => (/^\w+$/.test(field) ? field : `["${field}"]`);

/**
 * A JSON logger (pino). Errors are logged by type, code and stack position only: their messages may quote input.
 *
 * @param destination where the lines go; standard output unless a test collects them
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: LEVELS.flatMap((prefix) =>
        REDACTED_FIELDS.map((field) => {
          const last = path(field);
          return last.startsWith("[") ? `${prefix.replace(/\.$/, "")}${last}` : `${prefix}${last}`;
        }),
      ),
      censor: "[redacted]",
    },
    hooks: {
      // pino takes the message of an error logged without a text as the text.
      logMethod(args, method) {
        const [first, ...rest] = args as unknown[];
        const safe = first instanceof Error ? [{ err: first }, ...(rest.length > 0 ? rest : ["error"])] : args;
        return method.apply(this, safe as Parameters<typeof method>);
      },
    },
    serializers: { err: describeError, error: describeError, cause: describeError },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** What a log may say of an error: its class, its code and where it was thrown, never its message or fields. */
export function describeError(thrown: unknown): Record<string, unknown> {
  if (!(thrown instanceof Error)) return { type: typeof thrown };
  const code = (thrown as { code?: unknown }).code;
  const frames = (thrown.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    type: thrown.name,
    ...(typeof code === "string" || typeof code === "number" ? { code } : {}),
    at: frames.slice(0, 6).map((line) => line.trim()),
    ...(thrown.cause === undefined ? {} : { cause: describeError(thrown.cause) }),
  };
}

let shared: Logger | undefined;

/** The process's logger, at the level of `LOG_LEVEL`. */
export function log(): Logger {
  shared ??= createLogger(logLevel());
  return shared;
}
