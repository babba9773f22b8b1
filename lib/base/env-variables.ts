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
const whole = (least: number, most: number) => z.coerce.number().int().min(least).max(most);
const amount = (least: number, most: number) => z.coerce.number().min(least).max(most);
const perMinute = whole(1, 1_000_000).optional();
const most = (standard: number) => whole(1, 1_000_000).default(standard);
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

/**
 * The variables of web and worker, by their names. `sets` is what docs/configuration.md says of each, and of those in
 * the same row of its tables; `standard` is the default there if the type doesn't have it. `npm run openapi` writes them.
 */
export const Variables = z.object({
  NODE_ENV: z.enum(["development", "production", "test"]).default("development"),
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"])
    .default("info")
    .meta({ sets: "`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`", standard: "`info`" }),
  HOST: z
    .string()
    .default("127.0.0.1")
    .meta({ sets: "the address that a process listens on; in a container `0.0.0.0`" }),
  PORT: whole(1, 65_535).default(3000).meta({ sets: "the port of the site and the API", standard: "3000" }),
  NEXTAUTH_URL: url(/^https?$/, "https://halcyon.example")
    .optional()
    .meta({
      sets: "the public origin: wallets show it when a user signs in, and `doc_url` and `/openapi.json` begin with it. Signing in on another origin, such as a second domain or the address behind the proxy, is refused: redirect those to it",
      standard: "`http://localhost:3000`",
    }),
  DATABASE_URL: url(/^postgres(ql)?$/, "postgres://user:password@host:5432/halcyon").meta({
    sets: "the database, as the role that web and worker use",
    standard: "embedded PostgreSQL",
  }),
  DATABASE_POOL: whole(4, 1_000)
    .default(20)
    .meta({ sets: "connections per process; up to 12 more serve short reads, locks, notifications and deliveries" }),
  RELAYER_SEED: hex32.meta({ sets: "the accounts that pay for gas" }),
  RELAYER_SEED_PREVIOUS: hex32
    .optional()
    .meta({ sets: "the previous `RELAYER_SEED`, while its accounts finish what they carry" }),
  ANCHOR_ACCOUNTS: z
    .string()
    .default("")
    .transform((text) => text.split(",").filter(Boolean))
    .pipe(z.array(address))
    .meta({
      sets: "addresses of accounts of earlier `RELAYER_SEED`s that anchored the audit log, separated by commas: what they anchored still counts",
    }),
  RELAYERS: whole(1, 256)
    .default(4)
    .meta({ sets: "how many accounts carry transactions, on each chain (1 to 256); each needs ether" }),
  MAX_FEE_GWEI: amount(0.001, 1_000_000)
    .default(100)
    .meta({ sets: "the most that they offer for a unit of gas; while gas costs more, new payments return 503" }),
  SERVER_PEPPER: hex32
    .optional()
    .meta({ sets: "the second encryption of what API keys wrap, and of agents' wallet keys" }),
  SERVER_PEPPER_PREVIOUS: hex32
    .optional()
    .meta({ sets: "another pepper that is accepted too, while you [rotate](guides/self-hosting.md#rotate-a-secret)" }),
  SECRETS_KEY: hex32.meta({ sets: "the signing secrets of webhooks, and the addresses and devices of notifications" }),
  SECRETS_KEY_PREVIOUS: hex32.optional().meta({ sets: "another key that is accepted too, while you rotate" }),
  EVENT_RETENTION_DAYS: whole(2, 3_650)
    .default(90)
    .meta({ sets: "how many days events and their deliveries are kept at least; they leave by month" }),
  AUDIT_RETENTION_DAYS: whole(30, 36_500).optional().meta({
    sets: "how many days audit entries are kept at least (30 or more); they leave by month, once anchored for as long. `npm run audit:verify` needs it too: entries that left earlier, or while it is not set, count as removed",
    standard: "none: for ever",
  }),
  TRUSTED_PROXIES: whole(0, 10)
    .default(0)
    .meta({ sets: "how many proxies in front add the client address to `X-Forwarded-For`" }),
  NEXTAUTH_SECRET: nextAuthSecret.meta({ sets: "session cookies" }),
  NEXTAUTH_SECRET_PREVIOUS: nextAuthSecret.meta({ sets: "another secret that is accepted too, while you rotate" }),
  RPC_URL_46630: rpcUrl.meta({ sets: "the JSON-RPC address of your node", standard: "embedded chain" }),
  RPC_URL_4663: rpcUrl,
  RPC_CHECK_URL_46630: rpcUrl.optional().meta({
    sets: "a node of another provider: nothing counts as final until both agree. It needs the transactions, receipts and logs of all blocks from `LEDGER_BLOCK` on",
  }),
  RPC_CHECK_URL_4663: rpcUrl.optional(),
  LEDGER_ADDRESS_46630: address.meta({
    sets: "the ledger contract. With `RPC_URL_…` you have to set it: [`npm run deploy`](guides/self-hosting.md#deploy-the-ledger) prints it. `npm start` refuses one of another version",
    standard: "of the embedded chain",
  }),
  LEDGER_ADDRESS_4663: address,
  LEDGER_BLOCK_46630: blockNumber.meta({ sets: "the block of its deployment, where indexing starts", standard: "0" }),
  LEDGER_BLOCK_4663: blockNumber,
  USDG_ADDRESS_46630: address
    .default(PUBLISHED_USDG[CHAIN_ID.test])
    .meta({ sets: "the token contract", standard: "USDG on that chain" }),
  USDG_ADDRESS_4663: address.default(PUBLISHED_USDG[CHAIN_ID.live]),
  FINALITY_46630: finality.meta({
    sets: "what counts as confirmed: `latest`, `safe` or `finalized` (on an embedded chain, 8 or 16 blocks of a quarter of a second behind)",
    standard: "by chain",
  }),
  FINALITY_4663: finality,
  HALCYON_LOCAL_CHAINS: chainIds.meta({
    sets: "chain IDs, for example `46630,4663`. Never name a public chain",
    standard: "the embedded chains",
  }),
  FAUCET_KEY: privateKey
    .optional()
    .meta({ sets: "the private key that holds their ether and mints their USDG", standard: "of the embedded chains" }),
  APPROVAL_WINDOW_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .default(86_400)
    .meta({ sets: "how long a payment awaits approval before it expires" }),
  HELD_PER_AGENT: whole(1, 10_000).default(50).meta({ sets: "how many payments of one agent can await approval" }),
  RELAY_DAILY_QUOTA: z.coerce.number().int().min(1).optional().meta({
    sets: "sponsored transactions per account and day, agents included",
    standard: "1,000 (local stack 1,000,000)",
  }),
  RELAY_DAILY_GAS: z.coerce
    .bigint()
    .min(1n)
    .optional()
    .meta({ sets: "the sum of their gas limits per account and day", standard: "10^9 (local stack 10^12)" }),
  RATE_LIMIT_PER_SECOND: amount(0, 1_000_000)
    .default(100)
    .meta({ sets: "requests of one API key or session, per second and at once" }),
  RATE_LIMIT_BURST: whole(1, 1_000_000).default(200),
  RATE_LIMIT_ACCOUNT_PER_SECOND: amount(0, 1_000_000)
    .default(200)
    .meta({ sets: "requests of an account with its agents" }),
  RATE_LIMIT_ACCOUNT_BURST: whole(1, 1_000_000).default(400),
  ACCOUNT_MAX_KEYS: most(1_000).meta({ sets: "how many of each an account can have" }),
  ACCOUNT_MAX_AGENTS: most(500),
  ACCOUNT_MAX_WEBHOOKS: most(100),
  ACCOUNT_MAX_SESSIONS: most(1_000),
  ACCOUNT_MAX_STREAMS: most(50),
  RATE_LIMIT_SIGN_IN: perMinute.meta({
    sets: "sign-in requests per minute and client address",
    standard: "60 (local stack 100,000)",
  }),
  RATE_LIMIT_SIGN_UP: perMinute.meta({
    sets: "accounts created per minute and client address",
    standard: "10 (local stack 100,000)",
  }),
  RATE_LIMIT_FAUCET: perMinute.meta({
    sets: "faucet requests per minute and client address",
    standard: "10 (local stack 100,000)",
  }),
  RATE_LIMIT_FAILED_KEYS: perMinute.meta({
    sets: "requests with an invalid API key per minute and client address",
    standard: "60 (local stack 100,000)",
  }),
  RATE_LIMIT_FACILITATOR: perMinute.meta({
    sets: "requests to [`/x402`](guides/pay-over-http.md#facilitator-of-the-service) per minute and client address",
    standard: "600 (local stack 100,000)",
  }),
  RATE_LIMIT_OAUTH: perMinute.meta({
    sets: "requests to `/oauth` of applications that [connect over MCP](guides/mcp.md#connect-over-http) per minute and client address",
    standard: "60 (local stack 100,000)",
  }),
  RATE_LIMIT_PUBLIC: perMinute.meta({
    sets: "other requests without a key or session per minute and client address: payment requests, shared views, the network, webhooks of the identity provider; and as many pages and files, of which a quarter are made for the request, counted in each process by itself",
    standard: "1,200 (local stack 100,000)",
  }),
  HEALTH_PORT: whole(1, 65_535)
    .optional()
    .meta({ sets: "where a worker serves `/healthz` and `/readyz` on `HOST`, for probes" }),
  METRICS_HOST: z.string().default("127.0.0.1").meta({ sets: "where Prometheus reads `/metrics`" }),
  METRICS_PORT: whole(1, 65_535).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(/^https?$/, "http://127.0.0.1:4318")
    .optional()
    .meta({ sets: "your OpenTelemetry collector" }),
  OTEL_TRACES_SAMPLER_ARG: amount(0, 1).default(1).meta({ sets: "the share of requests that are traced, from 0 to 1" }),
  WALLETCONNECT_PROJECT_ID: z
    .string()
    .regex(/^[0-9a-f]{32}$/, "must be a project id: 32 hex digits")
    .optional()
    .meta({ sets: "turns on WalletConnect, a third party (`docs/design/dashboard.md`)" }),
  SHUTDOWN_NOTICE_SECONDS: amount(0, 300).default(5).meta({
    sets: "after SIGTERM, how long a process still serves while `/readyz` returns 503",
    standard: "5 (local stack 0)",
  }),
  SHUTDOWN_DRAIN_SECONDS: amount(1, 600)
    .default(30)
    .meta({ sets: "after that, how long requests in progress may take" }),
  SECURITY_CONTACT: url(/^(https|mailto)$/, "mailto:security@example.com")
    .optional()
    .meta({ sets: "the https or mailto address in `/.well-known/security.txt` (404 if unset)" }),
  SAMPLE_RECEIPT: z
    .string()
    .regex(/^hcr1_[A-Za-z0-9_-]{208}$/, "must be a receipt: hcr1_ and 208 characters")
    .optional()
    .meta({ sets: "a receipt of a payment of yours, which anyone may try in the page that checks receipts" }),
  STRIPE_IDENTITY_KEY: secretText.meta({
    sets: "a secret or restricted key of Stripe (Identity: write); used by web and worker",
  }),
  STRIPE_IDENTITY_WEBHOOK_SECRET: secretText.meta({
    sets: "the signing secret of the webhook endpoint that you create at Stripe for `/api/kyc/webhook` and `identity.verification_session.*`",
  }),
  STRIPE_API_URL: providerUrl.default("https://api.stripe.com").meta({ sets: "where Stripe's API is" }),
  CHAINALYSIS_API_KEY: secretText.meta({
    sets: "a key of Chainalysis' sanctions API: recipients of public payments are screened, and are not paid while it doesn't respond",
  }),
  CHAINALYSIS_API_URL: providerUrl.default("https://public.chainalysis.com").meta({ sets: "where that API is" }),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: "must be an address such as smtps://user:password@smtp.example.com" })
    .optional()
    .meta({
      sets: "your mail server, such as `smtps://user:password@smtp.example.com` (port 465) or `smtp://…` (port 587, upgraded to TLS with STARTTLS). A server without TLS or with an invalid certificate gets nothing; plain text is possible on the local stack alone, to `localhost`. Encode special characters of the password as in a URL. Used by web and worker",
    }),
  MAIL_FROM: mailbox.optional().meta({
    sets: "the address emails come from: `Halcyon <notifications@example.com>`. Its domain should have SPF, DKIM and DMARC",
  }),
  OPERATOR_EMAIL: mailbox.optional().meta({ sets: "who hears, once a day, of accounts for gas below 0.05 ether" }),
  VAPID_PRIVATE_KEY: vapidKey.optional().meta({
    sets: "identifies your installation to push services (RFC 8292): a P-256 private key, 32 bytes in base64url, as tools for web push print it. With another key, browsers have to subscribe again. Push services get `SECURITY_CONTACT` or the address in `MAIL_FROM` as contact. Used by web and worker",
    standard: "of the local stack",
  }),
  PROVER_WORKERS: whole(1, 64).optional().meta({ sets: "proving threads", standard: "one per core" }),
  REQUESTS_IN_FLIGHT: whole(1, 100_000).default(1_000).meta({
    sets: "requests a web process serves at once; more get 503, [reads first](limits.md#more-than-a-process-can-do)",
  }),
  PROVER_QUEUE: whole(1, 100_000)
    .optional()
    .meta({ sets: "proofs that can wait before requests get 503", standard: "64 per thread" }),
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
