import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { CHAIN_ID, type ChainId, type Network } from "@/lib/network";
import { proverUrlFault } from "@/lib/private-address";

/** What a block must have become before a transfer in it is `confirmed` (JSON-RPC block tags). */
export type FinalityTag = "latest" | "safe" | "finalized";

/** One network's chain as this process reaches it. */
export interface ChainEnv {
  network: Network;
  chainId: ChainId;
  rpcUrl: string;
  /** A node of another provider that has to agree before anything counts as final; undefined: one node is believed. */
  checkRpcUrl?: string;
  /** Address of the ledger contract, as configured (checksum not required). */
  ledger: `0x${string}`;
  /** Embedded chain of the local stack: one block is final, the faucet works, `http://localhost` is allowed. */
  local: boolean;
  finality: FinalityTag;
  /** Address of USDG on that chain. */
  usdg: `0x${string}`;
  /** Block of the ledger's deployment: where an index starts. */
  ledgerBlock: bigint;
}

/**
 * What is limited by client address: attempts to sign in, accounts created, the local faucet, failing API keys, what sellers
 * ask the facilitator, what applications that connect ask of OAuth.
 */
export type AddressLimit = "sign_in" | "sign_up" | "faucet" | "failed_keys" | "facilitator" | "oauth";

/** Requests a second, and at once after a pause. */
export interface Rate {
  perSecond: number;
  burst: number;
}

/** How many of something one account may have; of all but sessions on each network. */
export interface AccountCaps {
  /** Live API keys, its agents' included. */
  keys: number;
  agents: number;
  webhooks: number;
  /** Open sessions of its wallet: one more ends the oldest. */
  sessions: number;
  /** Streams open at one process. */
  streams: number;
}

/** A mail server, and what is sent by it. */
export interface MailEnv {
  host: string;
  port: number;
  /** TLS from the first byte (`smtps:`); else the connection is upgraded (STARTTLS), and not used where it cannot be. */
  implicitTls: boolean;
  /** No TLS at all: a server on this machine, for a local stack. */
  plain: boolean;
  user?: string;
  password?: string;
  /** The address messages come from, with or without a name. */
  from: string;
  /** Who hears that relayers run out of gas; undefined: no one. */
  operator?: string;
}

export interface Env {
  nodeEnv: "development" | "production" | "test";
  logLevel: string;
  host: string;
  port: number;
  /** Configured public origin, without a trailing slash; the domain of Sign-In With Ethereum. */
  origin: string;
  databaseUrl: string;
  /** Connections this process may have to it for requests and jobs. */
  databasePool: number;
  /** Replicas of the database, which lists are read from; none: all reads go to the primary. */
  databaseReplicas: string[];
  /** 32 bytes; every relayer key is HKDF(seed, chain, index). */
  relayerSeed: Uint8Array;
  /** The one before; set while what its relayers carry is not settled. */
  relayerSeedPrevious?: Uint8Array;
  /** Accounts of earlier seeds that anchored the audit log: what they anchored still holds. */
  anchorAccounts: readonly `0x${string}`[];
  /** Accounts that send transactions, on each chain. */
  relayers: number;
  /** The most that any of them offers for a unit of gas, in wei. */
  maxFeePerGas: bigint;
  /**
   * 32 bytes; mixed into what must not be readable from a stolen database alone. Web processes only: a worker has none.
   */
  readonly serverPepper: Uint8Array;
  /** Another one whose seals and tags hold too: the one before or the one to come, while a rotation is under way. */
  serverPepperPrevious?: Uint8Array;
  /** Web processes only. */
  readonly nextAuthSecret: string;
  /** Another one whose cookies hold too, as above. */
  nextAuthSecretPrevious?: string;
  /** 32 bytes; seals the signing secrets of webhooks. */
  secretsKey: Uint8Array;
  /** The one before; set while a rotation is under way. */
  secretsKeyPrevious?: Uint8Array;
  /** How many proxies in front of this process add the caller to `X-Forwarded-For`. */
  trustedProxies: number;
  chains: Record<Network, ChainEnv>;
  /** Private key that mints and deposits on local chains; absent when no chain is local. */
  faucetKey?: `0x${string}`;
  approvalWindowSeconds: number;
  /** Held payments one agent may have open at once. */
  heldPerAgent: number;
  /** Operations whose gas the service pays, per account, network and UTC day. */
  relayDailyQuota: number;
  /** The most gas that all of these may burn. */
  relayDailyGas: bigint;
  /** What an API key may do, and a session; 0 a second turns the limit off. */
  keyRate: Rate;
  /** The same of all keys and sessions of an account and its agents together, on one network. */
  accountRate: Rate;
  accountCaps: AccountCaps;
  /** Requests a minute one client address may make, by what they ask for. */
  addressRates: Record<AddressLimit, number>;
  /** Where `/metrics` is served to Prometheus; undefined: nowhere. */
  metrics?: { host: string; port: number };
  /** Where a worker serves `/healthz` and `/readyz`, on `host`; undefined: nowhere. Web processes have them on theirs. */
  healthPort?: number;
  /** Present when there is an OpenTelemetry collector: the share of requests that are traced, 0 to 1. */
  otlp?: { traceRatio: number };
  /** Lets people sign in by WalletConnect: a third party that then sees their browsers. */
  walletConnectProjectId?: string;
  /**
   * At the end of a process: how long it says that it is not ready and still serves; how long requests may then take.
   */
  shutdown: { noticeMs: number; drainMs: number };
  /** Where `/.well-known/security.txt` sends people who found a vulnerability of this installation: https or mailto. */
  securityContact?: string;
  /** The provider that verifies identities on the live network; undefined: none, and a sandbox on local chains. */
  identity?: { apiUrl: string; apiKey: string; webhookSecret: string };
  /** Screens recipients of public payments on the live network; undefined: no one does. */
  screening?: { apiUrl: string; apiKey: string };
  /** Where email goes out; undefined: nowhere, and on local chains into the inbox of the local stack. */
  mail?: MailEnv;
  /** 32 bytes; the private key that identifies this installation to push services (VAPID, RFC 8292); undefined: no push. */
  vapidKey?: Uint8Array;
  /** Proving threads of this process; undefined leaves the choice to the number of cores. */
  proverWorkers?: number;
  /** Proofs that may wait in this process before further ones are refused; undefined: 64 per thread. */
  proverQueue?: number;
  /** Requests that a web process serves at once, before it refuses some (lib/http/admission.ts). */
  requestsInFlight: number;
  /** A fleet that makes proofs for this process; undefined: it makes its own. */
  prover?: RemoteProverEnv;
}

/** Where provers are, and what shows them that the server asks. PEM texts. */
export interface RemoteProverEnv {
  url: string;
  ca: string;
  cert: string;
  key: string;
  /** Ed25519. */
  signingKey: KeyObject;
}

const hex32 = z
  .string()
  .regex(/^(0x)?[0-9a-fA-F]{64}$/, "must be 32 bytes in hex (64 digits)")
  .transform((text) => Uint8Array.from(Buffer.from(text.replace(/^0x/, ""), "hex")));
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, "must be a 0x address")
  .transform((text) => text as `0x${string}`);
const privateKey = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, "must be a private key: 0x and 64 hex digits")
  .transform((text) => text as `0x${string}`);
const url = (protocol: RegExp, example: string) => z.url({ protocol, error: `must be an address such as ${example}` });
const rpcUrl = url(/^https?$/, "http://127.0.0.1:8545");
/** Of a provider: https, and http on this machine alone. */
const providerUrl = z
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
  .transform((text) => new Uint8Array(Buffer.from(text, "base64url")));
const nextAuthSecret = z.string().min(32, "must have at least 32 characters").optional();
const pem = (what: string) =>
  z.string().regex(new RegExp(`^-----BEGIN ${what}-----\\n[^]+-----END ${what}-----\\n?$`), `must be PEM: ${what}`);
const certificate = pem("CERTIFICATE");
const tlsKey = pem("(EC |RSA )?PRIVATE KEY");
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

const Variables = z.object({
  NODE_ENV: z.enum(["development", "production", "test"]).default("development"),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
  HOST: z.string().default("127.0.0.1"),
  PORT: z.coerce.number().int().min(1).max(65_535).default(3000),
  NEXTAUTH_URL: url(/^https?$/, "https://halcyon.example").optional(),
  DATABASE_URL: url(/^postgres(ql)?$/, "postgres://user:password@host:5432/halcyon"),
  DATABASE_REPLICA_URL: z
    .string()
    .default("")
    .transform((text) =>
      text
        .split(",")
        .map((one) => one.trim())
        .filter(Boolean),
    )
    .pipe(
      z.array(
        url(/^postgres(ql)?$/, "postgres://user:password@replica:5432/halcyon").refine(
          // The driver decodes it. Where one server has got to says nothing of the next.
          (text) => !URL.canParse(text) || !/%2c/i.test(new URL(text).host),
          "must name one server each",
        ),
      ),
    ),
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
  USDG_ADDRESS_46630: address.default("0x7E955252E15c84f5768B83c41a71F9eba181802F"),
  USDG_ADDRESS_4663: address.default("0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168"),
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
  PROVER_URL: z
    .string()
    .superRefine((text, context) => {
      const message = proverUrlFault(text);
      if (message) context.addIssue({ code: "custom", message });
    })
    .optional(),
  PROVER_TLS_CA: certificate.optional(),
  PROVER_TLS_CERT: certificate.optional(),
  PROVER_TLS_KEY: tlsKey.optional(),
  PROVER_SIGNING_KEY: pem("PRIVATE KEY").optional(),
});

/** What a process reads that makes proofs for others: no database, no chain, no secret of the service. */
const ProverVariables = z.object({
  NODE_ENV: Variables.shape.NODE_ENV,
  HOST: Variables.shape.HOST,
  PORT: Variables.shape.PORT,
  HEALTH_PORT: Variables.shape.HEALTH_PORT,
  METRICS_HOST: Variables.shape.METRICS_HOST,
  METRICS_PORT: Variables.shape.METRICS_PORT,
  SHUTDOWN_NOTICE_SECONDS: Variables.shape.SHUTDOWN_NOTICE_SECONDS,
  SHUTDOWN_DRAIN_SECONDS: Variables.shape.SHUTDOWN_DRAIN_SECONDS,
  PROVER_WORKERS: Variables.shape.PROVER_WORKERS,
  PROVER_QUEUE: Variables.shape.PROVER_QUEUE,
  PROVER_TLS_CA: certificate,
  PROVER_TLS_CERT: certificate,
  PROVER_TLS_KEY: tlsKey,
  PROVER_SIGNER: pem("PUBLIC KEY"),
});

/** Thrown when the environment lacks something; names each variable and what it must be, never its value. */
export class EnvError extends Error {
  override readonly name = "EnvError";
}

/** What may lie in a file that `<name>_FILE` names, as orchestrators mount secrets, instead of in the environment. */
const SECRETS = [
  "DATABASE_URL",
  "DATABASE_REPLICA_URL",
  // Addresses of nodes often hold their provider's key.
  "RPC_URL_46630",
  "RPC_URL_4663",
  "RPC_CHECK_URL_46630",
  "RPC_CHECK_URL_4663",
  "RELAYER_SEED",
  "RELAYER_SEED_PREVIOUS",
  "SERVER_PEPPER",
  "SERVER_PEPPER_PREVIOUS",
  "SECRETS_KEY",
  "SECRETS_KEY_PREVIOUS",
  "NEXTAUTH_SECRET",
  "NEXTAUTH_SECRET_PREVIOUS",
  "STRIPE_IDENTITY_KEY",
  "STRIPE_IDENTITY_WEBHOOK_SECRET",
  "CHAINALYSIS_API_KEY",
  "SMTP_URL",
  "VAPID_PRIVATE_KEY",
  "PROVER_TLS_CA",
  "PROVER_TLS_CERT",
  "PROVER_TLS_KEY",
  "PROVER_SIGNING_KEY",
] as const;

/**
 * A variable's value, or what the file holds that `<name>_FILE` names. Undefined when neither is set.
 *
 * @throws EnvError when both are set, or the file cannot be read
 */
export function readSecret(
  name: string,
  variables: Record<string, string | undefined> = process.env,
): string | undefined {
  const file = variables[`${name}_FILE`];
  const sealed = variables[`${name}_KMS`];
  if ([file, sealed, variables[name]].filter(Boolean).length > 1) {
    throw new EnvError(`Set ${name}, ${name}_FILE or ${name}_KMS, and no two of them.`);
  }
  if (sealed) return opened(name, sealed);
  if (!file) return variables[name] || undefined;
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    throw new EnvError(`${name}_FILE names a file that cannot be read.`);
  }
}

// Next bundles routes separately: what was opened at the start has to be found by all of them.
const shared = globalThis as typeof globalThis & { halcyonOpened?: Map<string, string> };

/** The secrets of a process that a KMS has to decrypt: `<name>_KMS` holds what `aws kms encrypt` returned, in base64. */
export function sealedSecrets(variables: Record<string, string | undefined>): { name: string; sealed: string }[] {
  return [...SECRETS, "MIGRATION_DATABASE_URL"].flatMap((name) => {
    const sealed = variables[`${name}_KMS`];
    return sealed ? [{ name, sealed }] : [];
  });
}

/** Keeps a secret that the KMS has decrypted, in this process's memory alone. */
export function keepOpened(name: string, sealed: string, secret: string): void {
  shared.halcyonOpened ??= new Map();
  shared.halcyonOpened.set(`${name}/${sealed}`, secret);
}

function opened(name: string, sealed: string): string {
  const secret = shared.halcyonOpened?.get(`${name}/${sealed}`);
  if (secret === undefined) throw new EnvError(`${name}_KMS was not decrypted before it was read.`);
  return secret;
}

/** How AWS KMS is reached; variables as AWS names them. */
export interface KmsEnv {
  region: string;
  url: string;
  accessKeyId?: string;
  secretAccessKey?: string;
  sessionToken?: string;
  /** Where a container on ECS or EKS gets keys (AWS_CONTAINER_CREDENTIALS_FULL_URI), and what shows that it may. */
  credentialsUri?: string;
  credentialsTokenFile?: string;
}

const KmsVariables = z.object({
  AWS_REGION: z.string().regex(/^[a-z0-9-]+$/, "must be a region such as eu-central-1"),
  AWS_KMS_URL: providerUrl.optional(),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_SESSION_TOKEN: z.string().optional(),
  AWS_CONTAINER_CREDENTIALS_FULL_URI: url(/^https?$/, "http://169.254.170.23/v1/credentials").optional(),
  AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: z.string().optional(),
});

/**
 * How this process reaches the KMS.
 *
 * @throws EnvError
 */
export function kmsEnv(variables: Record<string, string | undefined> = process.env): KmsEnv {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  const read = KmsVariables.safeParse(set);
  if (!read.success) {
    const names = read.error.issues.map(({ path, message }) => `  ${String(path[0])} ${message}`);
    throw new EnvError(`A KMS is used. Set:\n${names.join("\n")}`);
  }
  const v = read.data;
  return {
    region: v.AWS_REGION,
    url: v.AWS_KMS_URL ?? `https://kms.${v.AWS_REGION}.amazonaws.com`,
    accessKeyId: v.AWS_ACCESS_KEY_ID,
    secretAccessKey: v.AWS_SECRET_ACCESS_KEY,
    sessionToken: v.AWS_SESSION_TOKEN,
    credentialsUri: v.AWS_CONTAINER_CREDENTIALS_FULL_URI,
    credentialsTokenFile: v.AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE,
  };
}

/** Reads and checks a set of environment variables. Empty strings count as absent. */
export function parseEnv(variables: Record<string, string | undefined>): Env {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  const given: Record<string, string | undefined> = { ...set };
  for (const name of SECRETS) given[name] = readSecret(name, set);
  const result = Variables.safeParse(given);
  if (!result.success) {
    const problems = result.error.issues.map(({ path, message }) => {
      const name = String(path[0]);
      return `  ${name} ${given[name] === undefined ? "is not set" : message}`;
    });
    throw new EnvError(
      `The environment is incomplete. \`npm start\` sets all of it; else set:\n${[...new Set(problems)].join("\n")}`,
    );
  }
  const v = result.data;
  if (v.HALCYON_LOCAL_CHAINS.length > 0 && v.FAUCET_KEY === undefined) {
    throw new EnvError(
      "The environment is incomplete. `npm start` sets all of it; else set:\n  FAUCET_KEY is not set: it pays the fees on HALCYON_LOCAL_CHAINS",
    );
  }
  if (v.HALCYON_LOCAL_CHAINS.length < Object.keys(CHAIN_ID).length) refuseWeak(given);
  if (Boolean(v.STRIPE_IDENTITY_KEY) !== Boolean(v.STRIPE_IDENTITY_WEBHOOK_SECRET)) {
    throw new EnvError("Set STRIPE_IDENTITY_KEY and STRIPE_IDENTITY_WEBHOOK_SECRET, or neither.");
  }
  const chain = (
    network: Network,
    rpc: string,
    ledger: `0x${string}`,
    publicFinality: FinalityTag,
    set?: FinalityTag,
  ) => {
    const local = v.HALCYON_LOCAL_CHAINS.includes(CHAIN_ID[network]);
    const tag = set ?? (local ? "latest" : publicFinality);
    const chainId = CHAIN_ID[network];
    const usdg = v[`USDG_ADDRESS_${chainId}`];
    const ledgerBlock = v[`LEDGER_BLOCK_${chainId}`];
    const checkRpcUrl = v[`RPC_CHECK_URL_${chainId}`];
    return { network, chainId, rpcUrl: rpc, checkRpcUrl, ledger, local, finality: tag, usdg, ledgerBlock };
  };
  const ownChain = v.HALCYON_LOCAL_CHAINS.length > 0;
  return {
    nodeEnv: v.NODE_ENV,
    logLevel: v.LOG_LEVEL,
    host: v.HOST,
    port: v.PORT,
    origin: originOf(v.NEXTAUTH_URL, v.PORT),
    databaseUrl: v.DATABASE_URL,
    databasePool: v.DATABASE_POOL,
    databaseReplicas: v.DATABASE_REPLICA_URL,
    relayerSeed: v.RELAYER_SEED,
    relayerSeedPrevious: v.RELAYER_SEED_PREVIOUS,
    anchorAccounts: v.ANCHOR_ACCOUNTS,
    relayers: v.RELAYERS,
    maxFeePerGas: BigInt(Math.round(v.MAX_FEE_GWEI * 1e9)),
    get serverPepper() {
      return ofWeb("SERVER_PEPPER", v.SERVER_PEPPER);
    },
    serverPepperPrevious: v.SERVER_PEPPER_PREVIOUS,
    get nextAuthSecret() {
      return ofWeb("NEXTAUTH_SECRET", v.NEXTAUTH_SECRET);
    },
    nextAuthSecretPrevious: v.NEXTAUTH_SECRET_PREVIOUS,
    secretsKey: v.SECRETS_KEY,
    secretsKeyPrevious: v.SECRETS_KEY_PREVIOUS,
    trustedProxies: v.TRUSTED_PROXIES,
    chains: {
      test: chain("test", v.RPC_URL_46630, v.LEDGER_ADDRESS_46630, "safe", v.FINALITY_46630),
      live: chain("live", v.RPC_URL_4663, v.LEDGER_ADDRESS_4663, "finalized", v.FINALITY_4663),
    },
    faucetKey: v.HALCYON_LOCAL_CHAINS.length > 0 ? v.FAUCET_KEY : undefined,
    approvalWindowSeconds: v.APPROVAL_WINDOW_SECONDS,
    heldPerAgent: v.HELD_PER_AGENT,
    // One's own chain is no one's to drain.
    relayDailyQuota: v.RELAY_DAILY_QUOTA ?? (ownChain ? 1_000_000 : 1_000),
    relayDailyGas: v.RELAY_DAILY_GAS ?? (ownChain ? 1_000_000_000_000n : 1_000_000_000n),
    keyRate: { perSecond: v.RATE_LIMIT_PER_SECOND, burst: v.RATE_LIMIT_BURST },
    accountRate: { perSecond: v.RATE_LIMIT_ACCOUNT_PER_SECOND, burst: v.RATE_LIMIT_ACCOUNT_BURST },
    accountCaps: {
      keys: v.ACCOUNT_MAX_KEYS,
      agents: v.ACCOUNT_MAX_AGENTS,
      webhooks: v.ACCOUNT_MAX_WEBHOOKS,
      sessions: v.ACCOUNT_MAX_SESSIONS,
      streams: v.ACCOUNT_MAX_STREAMS,
    },
    addressRates: {
      sign_in: v.RATE_LIMIT_SIGN_IN ?? (ownChain ? 100_000 : 60),
      sign_up: v.RATE_LIMIT_SIGN_UP ?? (ownChain ? 100_000 : 10),
      faucet: v.RATE_LIMIT_FAUCET ?? (ownChain ? 100_000 : 10),
      facilitator: v.RATE_LIMIT_FACILITATOR ?? (ownChain ? 100_000 : 600),
      oauth: v.RATE_LIMIT_OAUTH ?? (ownChain ? 100_000 : 60),
      failed_keys: v.RATE_LIMIT_FAILED_KEYS ?? (ownChain ? 100_000 : 60),
    },
    ...(v.METRICS_PORT === undefined ? {} : { metrics: { host: v.METRICS_HOST, port: v.METRICS_PORT } }),
    healthPort: v.HEALTH_PORT,
    ...(v.OTEL_EXPORTER_OTLP_ENDPOINT ? { otlp: { traceRatio: v.OTEL_TRACES_SAMPLER_ARG } } : {}),
    walletConnectProjectId: v.WALLETCONNECT_PROJECT_ID,
    shutdown: { noticeMs: v.SHUTDOWN_NOTICE_SECONDS * 1000, drainMs: v.SHUTDOWN_DRAIN_SECONDS * 1000 },
    securityContact: v.SECURITY_CONTACT,
    ...(v.STRIPE_IDENTITY_KEY && v.STRIPE_IDENTITY_WEBHOOK_SECRET
      ? {
          identity: {
            apiUrl: v.STRIPE_API_URL,
            apiKey: v.STRIPE_IDENTITY_KEY,
            webhookSecret: v.STRIPE_IDENTITY_WEBHOOK_SECRET,
          },
        }
      : {}),
    ...(v.CHAINALYSIS_API_KEY ? { screening: { apiUrl: v.CHAINALYSIS_API_URL, apiKey: v.CHAINALYSIS_API_KEY } } : {}),
    ...mailEnv(v, ownChain),
    vapidKey: v.VAPID_PRIVATE_KEY,
    proverWorkers: v.PROVER_WORKERS,
    proverQueue: v.PROVER_QUEUE,
    ...remoteProver(v),
    requestsInFlight: v.REQUESTS_IN_FLIGHT,
  };
}

function remoteProver(v: z.infer<typeof Variables>): Pick<Env, "prover"> {
  const { PROVER_URL: url, PROVER_TLS_CA: ca, PROVER_TLS_CERT: cert, PROVER_TLS_KEY: key, PROVER_SIGNING_KEY } = v;
  if (url === undefined) return {};
  if (!ca || !cert || !key || !PROVER_SIGNING_KEY) {
    throw new EnvError(
      "PROVER_URL is set, so PROVER_TLS_CA, PROVER_TLS_CERT, PROVER_TLS_KEY and PROVER_SIGNING_KEY must be too.",
    );
  }
  return { prover: { url, ca, cert, key, signingKey: ed25519("PROVER_SIGNING_KEY", PROVER_SIGNING_KEY) } };
}

/** @throws EnvError that does not quote the key */
function ed25519(name: string, text: string): KeyObject {
  const read = name === "PROVER_SIGNER" ? createPublicKey : createPrivateKey;
  try {
    const key = read(text);
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // Said below.
  }
  throw new EnvError(`${name} must be an Ed25519 key in PEM (deploy/make-prover-keys.sh makes one).`);
}

/** The environment of a prover. */
export interface ProverEnv {
  host: string;
  port: number;
  healthPort?: number;
  metrics?: { host: string; port: number };
  shutdown: Env["shutdown"];
  workers?: number;
  queue?: number;
  ca: string;
  cert: string;
  key: string;
  /** The public key of the servers that may ask. */
  signer: KeyObject;
}

/** What a prover must not have: with it, someone who takes one over has more than what it proves. */
const NOT_FOR_PROVERS = [...SECRETS.filter((name) => !name.startsWith("PROVER_TLS_")), "MIGRATION_DATABASE_URL"];

/**
 * Reads and checks the environment of a prover.
 *
 * @throws EnvError also for one that holds secrets of the service
 */
export function parseProverEnv(variables: Record<string, string | undefined>): ProverEnv {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  const extra = NOT_FOR_PROVERS.filter((name) => ["", "_FILE", "_KMS"].some((end) => given[`${name}${end}`]));
  if (extra.length > 0)
    throw new EnvError(`A prover has no use for ${extra.join(", ")}: remove what it should not know.`);
  const names = ["PROVER_TLS_CA", "PROVER_TLS_CERT", "PROVER_TLS_KEY", "PROVER_SIGNER"] as const;
  for (const name of names) given[name] = readSecret(name, given);
  const result = ProverVariables.safeParse(given);
  if (!result.success) {
    const problems = result.error.issues.map(({ path, message }) => {
      const name = String(path[0]);
      return `  ${name} ${given[name] === undefined ? "is not set" : message}`;
    });
    throw new EnvError(`The environment of a prover is incomplete. Set:\n${[...new Set(problems)].join("\n")}`);
  }
  const v = result.data;
  return {
    host: v.HOST,
    port: v.PORT,
    healthPort: v.HEALTH_PORT,
    ...(v.METRICS_PORT === undefined ? {} : { metrics: { host: v.METRICS_HOST, port: v.METRICS_PORT } }),
    shutdown: { noticeMs: v.SHUTDOWN_NOTICE_SECONDS * 1000, drainMs: v.SHUTDOWN_DRAIN_SECONDS * 1000 },
    workers: v.PROVER_WORKERS,
    queue: v.PROVER_QUEUE,
    ca: v.PROVER_TLS_CA,
    cert: v.PROVER_TLS_CERT,
    key: v.PROVER_TLS_KEY,
    signer: ed25519("PROVER_SIGNER", v.PROVER_SIGNER),
  };
}

/** This process's environment as a prover. */
export function proverEnv(): ProverEnv {
  return parseProverEnv(process.env);
}

/** What random values make: a key anyone could guess, or one in two places, is no key outside of a local stack. */
const RANDOM = [
  "RELAYER_SEED",
  "RELAYER_SEED_PREVIOUS",
  "SERVER_PEPPER",
  "SERVER_PEPPER_PREVIOUS",
  "SECRETS_KEY",
  "SECRETS_KEY_PREVIOUS",
  "NEXTAUTH_SECRET",
  "NEXTAUTH_SECRET_PREVIOUS",
] as const;
/** Of 64 random hex digits 16 differ, of 32 random characters of base64 some 25. Fewer than this: once in 10^12 keys. */
const LEAST_DISTINCT = 8;

/** @throws EnvError that names each value which is no random one, or which is used twice */
function refuseWeak(given: Record<string, string | undefined>): void {
  const seen = new Map<string, string>();
  const problems = RANDOM.flatMap((name) => {
    const value = given[name]?.replace(/^0x/, "").toLowerCase();
    if (value === undefined) return [];
    const same = seen.get(value);
    seen.set(value, name);
    if (same) return [`  ${name} is the same as ${same}`];
    return isWeak(value) ? [`  ${name} is not random: openssl rand -hex 32 makes one`] : [];
  });
  if (problems.length > 0) throw new EnvError(`Some secrets can be guessed:\n${problems.join("\n")}`);
}

/** Words of examples; no value in hex has one. */
const OF_EXAMPLES = /change|secret|password|example|default|insecure/;

/** Whether few characters make it, it repeats a part of itself, or it was copied from an example. */
function isWeak(value: string): boolean {
  if (OF_EXAMPLES.test(value)) return true;
  return new Set(value).size < LEAST_DISTINCT || `${value}${value}`.indexOf(value, 1) < value.length;
}

/**
 * What the mail server's address says.
 *
 * @throws EnvError for one that would send in plain text, or whose address holds more than that
 */
function mailEnv(
  { SMTP_URL, MAIL_FROM, OPERATOR_EMAIL }: z.infer<typeof Variables>,
  ownChain: boolean,
): Pick<Env, "mail"> {
  if (!SMTP_URL) {
    if (OPERATOR_EMAIL) throw new EnvError("OPERATOR_EMAIL is set, so SMTP_URL must be too: it sends the email.");
    return {};
  }
  if (!MAIL_FROM) throw new EnvError("SMTP_URL is set, so MAIL_FROM must be too: the address messages come from.");
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(SMTP_URL);
  // What libraries read from there turns off the check of certificates, among others.
  if (search || hash || !["", "/"].includes(pathname)) {
    throw new EnvError("SMTP_URL names a server and nothing else: remove what follows the host and its port.");
  }
  if (hostname === "") throw new EnvError("SMTP_URL names no server.");
  const implicitTls = protocol === "smtps:";
  const plain = !implicitTls && ownChain && ["localhost", "127.0.0.1"].includes(hostname);
  return {
    mail: {
      host: hostname,
      port: Number(port) || (implicitTls ? 465 : 587),
      implicitTls,
      plain,
      ...(username ? { user: decodeURIComponent(username), password: decodeURIComponent(password) } : {}),
      from: MAIL_FROM,
      operator: OPERATOR_EMAIL,
    },
  };
}

function ofWeb<T>(name: string, value: T | undefined): T {
  if (value !== undefined) return value;
  throw new EnvError(`The environment is incomplete. \`npm start\` sets all of it; else set:\n  ${name} is not set`);
}

/** Checks what a web process alone has: a worker delivers webhooks and talks to the chain, and is given neither. */
export function requireWebSecrets({ serverPepper, nextAuthSecret }: Env): void {
  if (serverPepper.length !== 32 || nextAuthSecret.length < 32) throw new EnvError("The secrets are malformed.");
}

/** The level of the log; readable on its own so that a process can log before, or without, a complete environment. */
export function logLevel(): string {
  const level = Variables.shape.LOG_LEVEL.safeParse(process.env.LOG_LEVEL || undefined);
  return level.success ? level.data : "info";
}

/**
 * How many days rows are kept at least; null: for ever. Readable on its own: what removes them has no other variable.
 *
 * @throws EnvError
 */
export function readRetention(): { eventDays: number; auditDays: number | null } {
  const read = <T>(name: "EVENT_RETENTION_DAYS" | "AUDIT_RETENTION_DAYS", type: z.ZodType<T>): T => {
    const { success, data } = type.safeParse(process.env[name] || undefined);
    if (!success) throw new EnvError(`${name} is a whole number of days, as docs/configuration.md says.`);
    return data;
  };
  return {
    eventDays: read("EVENT_RETENTION_DAYS", Variables.shape.EVENT_RETENTION_DAYS),
    auditDays: read("AUDIT_RETENTION_DAYS", Variables.shape.AUDIT_RETENTION_DAYS) ?? null,
  };
}

let parsed: Env | undefined;

/** The process's environment, checked at first use. The only reader of `process.env` in server code. */
export function env(): Env {
  parsed ??= parseEnv(process.env);
  return parsed;
}

/** The peppers whose seals and tags hold, the one that makes new ones first. Web processes only. */
export function acceptedPeppers(): Uint8Array[] {
  const { serverPepper, serverPepperPrevious } = env();
  return serverPepperPrevious ? [serverPepper, serverPepperPrevious] : [serverPepper];
}

/** The secrets whose cookies hold, the one that makes new ones first. Web processes only. */
export function acceptedNextAuthSecrets(): string[] {
  const { nextAuthSecret, nextAuthSecretPrevious } = env();
  return nextAuthSecretPrevious ? [nextAuthSecret, nextAuthSecretPrevious] : [nextAuthSecret];
}

/** The configured public origin, also where the rest of the environment is missing: an error must never fail. */
export function publicOrigin(): string {
  return originOf(process.env.NEXTAUTH_URL, process.env.PORT ?? 3000);
}

function originOf(url: string | undefined, port: number | string): string {
  return new URL(url ?? `http://localhost:${port}`).origin;
}
