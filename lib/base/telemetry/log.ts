import pino, { type DestinationStream, type Logger } from "pino";
import { logLevel } from "@/lib/base/env";
import { currentRequest } from "./current-request";
import { hub } from "./hub";

/**
 * Names of fields that never appear in a log line, at any depth: amounts and what they could be derived from, secrets,
 * credentials, bodies. Code should not log them in the first place; this is a second line of defense.
 */
export const REDACTED_FIELDS = [
  "access_token",
  "amount",
  "amounts",
  "authority",
  "authorization",
  "apiKey",
  "api_key",
  "balance",
  "balances",
  "body",
  "available",
  "accountSecret",
  "codeVerifier",
  "cookie",
  "deposited",
  "decryption_proof",
  "decryptionProof",
  "env",
  "held",
  "homeKey",
  "knowledge",
  "limit",
  "mac",
  "memo",
  "mnemonic",
  "newLimit",
  "note",
  "opening",
  "password",
  "pepper",
  "client_signed",
  "privateKey",
  "private_key",
  "accountKey",
  "account_key",
  "salt",
  "salts",
  "secret",
  "seed",
  "session",
  "set-cookie",
  "signature",
  "paymentKey",
  "token",
  "units",
  "value",
  "viewingKey",
  "witness",
  "wrap",
] as const;

const spelling = (name: string) => name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
const REDACTED = new Set(REDACTED_FIELDS.map(spelling));
/** Fields for thrown values, whether they are an Error or not. */
const THROWN = new Set(["err", "error", "cause"]);
const CENSOR = "[redacted]";
/** API keys, access tokens, authorization codes, home keys and viewing keys, anywhere in a text. */
const KEY_TEXT = /\bhc(?:vk|c|h)?_(?:test|live)_[0-9A-Za-z]{8,}/g;

/**
 * Creates a JSON logger (pino). It redacts {@link REDACTED_FIELDS} at any depth and in any spelling, every bigint and
 * byte array (amounts, words and keys have these types), and every API key or viewing key in a text. Errors are logged
 * only by type, code and stack position, because their messages may quote input. Lines written while a request is
 * handled contain its id.
 *
 * @param destination where lines are written; standard output by default, tests collect them
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label) => ({ level: label }),
      log: (fields) => redactFields(fields, new Set()),
    },
    mixin: requestFields,
    hooks: {
      // If an error is logged without a text, pino uses the error's message as the text.
      logMethod(args, method) {
        const [first, ...rest] = args as unknown[];
        const safe = first instanceof Error ? [{ err: first }, ...(rest.length > 0 ? rest : ["error"])] : args;
        const texts = safe.map((arg) => (typeof arg === "string" ? withoutKeys(arg) : arg));
        return method.apply(this, texts as Parameters<typeof method>);
      },
    },
    // Errors are already described here. pino's own serializer would quote their messages.
    serializers: { err: (described) => described },
  };
  const logger = destination ? pino(options, destination) : pino(options);
  // pino's formatters don't apply to the bindings of a child logger.
  const { child } = logger;
  logger.child = function (this: Logger, bindings: pino.Bindings, childOptions?: object) {
    return child.call(this, redactFields(bindings, new Set()), childOptions);
  } as Logger["child"];
  return logger;
}

const withoutKeys = (text: string) => text.replace(KEY_TEXT, CENSOR);

/** Returns the fields that link a line to the request during which it was written. */
function requestFields(): Record<string, string> {
  const requestId = currentRequest()?.requestId;
  const traceId = hub().telemetry?.traceId();
  return { ...(requestId ? { request_id: requestId } : {}), ...(traceId ? { trace_id: traceId } : {}) };
}

function redactFields(fields: object, above: Set<object>): Record<string, unknown> {
  const clean: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (REDACTED.has(spelling(name))) clean[name] = CENSOR;
    else clean[name] = THROWN.has(name) ? describeError(value) : redact(value, above);
  }
  return clean;
}

function redact(value: unknown, above: Set<object>): unknown {
  if (typeof value === "bigint") return CENSOR;
  if (typeof value === "string") return withoutKeys(value);
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Error) return describeError(value);
  if (value instanceof Date) return value;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return CENSOR;
  if (above.has(value)) return "[circular]";
  const within = new Set(above).add(value);
  if (Array.isArray(value)) return value.map((entry) => redact(entry, within));
  if (value instanceof Map) return redactFields(Object.fromEntries(value), within);
  if (value instanceof Set) return [...value].map((entry) => redact(entry, within));
  return redactFields(value, within);
}

/**
 * Returns what a log line may contain about an error: its class, its code and where it was thrown, never its message or
 * fields.
 */
function describeError(thrown: unknown): Record<string, unknown> {
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

/** Returns the process's logger, with the level of `LOG_LEVEL`. */
export function log(): Logger {
  shared ??= createLogger(logLevel());
  return shared;
}
