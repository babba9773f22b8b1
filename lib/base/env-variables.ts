import { z } from "zod";
import { CHAIN_ID } from "@/lib/base/network";
import { EnvError } from "./env-secrets";

/** Variables as a process has them, by their names. */
export type Given = Readonly<Record<string, string | undefined>>;

const hex32 = z
  .string()
  .regex(/^(0x)?[0-9a-fA-F]{64}$/, "must be 32 bytes in hex (64 digits)")
  .transform((text): Uint8Array => Uint8Array.from(Buffer.from(text.replace(/^0x/, ""), "hex")));
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, "must be a 0x address")
  .transform((text) => text as `0x${string}`);
const privateKey = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, "must be a private key: 0x and 64 hex digits")
  .transform((text) => text as `0x${string}`);
export const url = (protocol: RegExp, example: string) =>
  z.url({ protocol, error: `must be an address such as ${example}` });
const rpcUrl = url(/^https?$/, "http://127.0.0.1:8545");
/** Of a provider: https, and http on this machine alone. */
export const providerUrl = z
  .url({ protocol: /^https?$/, error: "must be an address such as https://api.example.com" })
  .refine((text) => {
    const { protocol, hostname } = new URL(text);
    return protocol === "https:" || hostname === "127.0.0.1" || hostname === "localhost";
  }, "must begin with https://")
  .transform((text) => text.replace(/\/+$/, ""));
/** `name@example.com`, or `Name <name@example.com>`. */
const mailbox = z
  .string()
  .regex(/^[^<>\r\n]*<[^<>\s]+>$|^[^<>\s]+$/, "must be an email address, or a name and <an address>")
  .refine(
    (text) => z.email().safeParse(/<(.+)>$/.exec(text)?.[1] ?? text).success,
    "must hold an email address such as notifications@example.com",
  );
/** Base64url, as tools for web push print it. */
const vapidKey = z
  .string()
  .regex(/^[\w-]{43}=?$/, "must be a P-256 private key: 32 bytes in base64url")
  .transform((text): Uint8Array => new Uint8Array(Buffer.from(text, "base64url")));
const nextAuthSecret = z.string().min(32, "must have at least 32 characters").optional();
const secretText = z.string().min(16, "must have at least 16 characters").optional();
const perMinute = z.coerce.number().int().min(1).max(1_000_000).optional();
const most = (standard: number) => z.coerce.number().int().min(1).max(1_000_000).default(standard);
const blockNumber = z.coerce.bigint().min(0n).default(0n);
const finality = z.enum(["latest", "safe", "finalized"]).optional();
const chainIds = z
  .string()
  .default("")
  .transform((text) => text.split(",").filter(Boolean).map(Number))
  .pipe(z.array(z.union([z.literal(CHAIN_ID.test), z.literal(CHAIN_ID.live)], "lists chain ids 46630 and 4663")));

/** USDG on the public chains. */
export const PUBLISHED_USDG = {
  [CHAIN_ID.test]: "0x7E955252E15c84f5768B83c41a71F9eba181802F",
  [CHAIN_ID.live]: "0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168",
} as const;

/** The variables of web and worker, by their names. */
export const Variables = z.object({
  NODE_ENV: z.enum(["development", "production", "test"]).default("development"),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
  HOST: z.string().default("127.0.0.1"),
  PORT: z.coerce.number().int().min(1).max(65_535).default(3000),
  NEXTAUTH_URL: url(/^https?$/, "https://halcyon.example").optional(),
  DATABASE_URL: url(/^postgres(ql)?$/, "postgres://user:password@host:5432/halcyon"),
  DATABASE_POOL: z.coerce.number().int().min(4).max(1_000).default(20),
  RELAYER_SEED: hex32,
  RELAYER_SEED_PREVIOUS: hex32.optional(),
  ANCHOR_ACCOUNTS: z
    .string()
    .default("")
    .transform((text) => text.split(",").filter(Boolean))
    .pipe(z.array(address)),
  RELAYERS: z.coerce.number().int().min(1).max(256).default(4),
  MAX_FEE_GWEI: z.coerce.number().min(0.001).max(1_000_000).default(100),
  SERVER_PEPPER: hex32.optional(),
  SERVER_PEPPER_PREVIOUS: hex32.optional(),
  SECRETS_KEY: hex32,
  SECRETS_KEY_PREVIOUS: hex32.optional(),
  EVENT_RETENTION_DAYS: z.coerce.number().int().min(2).max(3_650).default(90),
  AUDIT_RETENTION_DAYS: z.coerce.number().int().min(30).max(36_500).optional(),
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  NEXTAUTH_SECRET: nextAuthSecret,
  NEXTAUTH_SECRET_PREVIOUS: nextAuthSecret,
  RPC_URL_46630: rpcUrl,
  RPC_URL_4663: rpcUrl,
  RPC_CHECK_URL_46630: rpcUrl.optional(),
  RPC_CHECK_URL_4663: rpcUrl.optional(),
  LEDGER_ADDRESS_46630: address,
  LEDGER_ADDRESS_4663: address,
  LEDGER_BLOCK_46630: blockNumber,
  LEDGER_BLOCK_4663: blockNumber,
  USDG_ADDRESS_46630: address.default(PUBLISHED_USDG[CHAIN_ID.test]),
  USDG_ADDRESS_4663: address.default(PUBLISHED_USDG[CHAIN_ID.live]),
  FINALITY_46630: finality,
  FINALITY_4663: finality,
  HALCYON_LOCAL_CHAINS: chainIds,
  FAUCET_KEY: privateKey.optional(),
  APPROVAL_WINDOW_SECONDS: z.coerce.number().int().min(1).default(86_400),
  HELD_PER_AGENT: z.coerce.number().int().min(1).max(10_000).default(50),
  RELAY_DAILY_QUOTA: z.coerce.number().int().min(1).optional(),
  RELAY_DAILY_GAS: z.coerce.bigint().min(1n).optional(),
  RATE_LIMIT_PER_SECOND: z.coerce.number().min(0).max(1_000_000).default(100),
  RATE_LIMIT_BURST: z.coerce.number().int().min(1).max(1_000_000).default(200),
  RATE_LIMIT_ACCOUNT_PER_SECOND: z.coerce.number().min(0).max(1_000_000).default(200),
  RATE_LIMIT_ACCOUNT_BURST: z.coerce.number().int().min(1).max(1_000_000).default(400),
  ACCOUNT_MAX_KEYS: most(1_000),
  ACCOUNT_MAX_AGENTS: most(500),
  ACCOUNT_MAX_WEBHOOKS: most(100),
  ACCOUNT_MAX_SESSIONS: most(1_000),
  ACCOUNT_MAX_STREAMS: most(50),
  RATE_LIMIT_SIGN_IN: perMinute,
  RATE_LIMIT_SIGN_UP: perMinute,
  RATE_LIMIT_FAUCET: perMinute,
  RATE_LIMIT_FAILED_KEYS: perMinute,
  RATE_LIMIT_FACILITATOR: perMinute,
  RATE_LIMIT_OAUTH: perMinute,
  RATE_LIMIT_PUBLIC: perMinute,
  HEALTH_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  METRICS_HOST: z.string().default("127.0.0.1"),
  METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(/^https?$/, "http://127.0.0.1:4318").optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  WALLETCONNECT_PROJECT_ID: z
    .string()
    .regex(/^[0-9a-f]{32}$/, "must be a project id: 32 hex digits")
    .optional(),
  SHUTDOWN_NOTICE_SECONDS: z.coerce.number().min(0).max(300).default(5),
  SHUTDOWN_DRAIN_SECONDS: z.coerce.number().min(1).max(600).default(30),
  SECURITY_CONTACT: url(/^(https|mailto)$/, "mailto:security@example.com").optional(),
  STRIPE_IDENTITY_KEY: secretText,
  STRIPE_IDENTITY_WEBHOOK_SECRET: secretText,
  STRIPE_API_URL: providerUrl.default("https://api.stripe.com"),
  CHAINALYSIS_API_KEY: secretText,
  CHAINALYSIS_API_URL: providerUrl.default("https://public.chainalysis.com"),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: "must be an address such as smtps://user:password@smtp.example.com" })
    .optional(),
  MAIL_FROM: mailbox.optional(),
  OPERATOR_EMAIL: mailbox.optional(),
  VAPID_PRIVATE_KEY: vapidKey.optional(),
  PROVER_WORKERS: z.coerce.number().int().min(1).max(64).optional(),
  REQUESTS_IN_FLIGHT: z.coerce.number().int().min(1).max(100_000).default(1_000),
  PROVER_QUEUE: z.coerce.number().int().min(1).max(100_000).optional(),
});

/** What web and worker are set to. */
export type Values = z.infer<typeof Variables>;

/** The variables that are set: an empty string counts as absent. */
export function setIn(variables: Given): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
}

/**
 * Checks variables.
 *
 * @param intro the first line of the error, above a line for each variable that is missing or wrong
 * @throws EnvError
 */
export function checked<T>(schema: z.ZodType<T>, given: Given, intro: string): T {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => {
    const name = String(path[0]);
    return `  ${name} ${given[name] === undefined ? "is not set" : message}`;
  });
  throw new EnvError(`${intro}\n${[...new Set(problems)].join("\n")}`);
}
