import type { z } from "zod";
import { CHAIN_ID, type ChainId, type Network } from "@/lib/base/network";
import { EnvError, readSecret, refuseWeak, SECRETS } from "./env-secrets";
import { checked, type Given, setIn, Variables } from "./env-variables";
import { mailEnv } from "./mail-env";

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
 * What is limited by client address: attempts to sign in, accounts created, the local faucet, failing API keys, what
 * sellers ask the facilitator, what applications that connect ask of OAuth.
 */
export type AddressLimit = "sign_in" | "sign_up" | "faucet" | "failed_keys" | "facilitator" | "oauth" | "public";

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

/** Variables of what this version does not have. If one is set, someone expects what it would do. */
const GONE = /^(PROVER_(URL|TLS_CA|TLS_CERT|TLS_KEY|SIGNING_KEY|SIGNER)|DATABASE_REPLICA_URL)(_FILE|_KMS)?$/;

/** Reads and checks a set of environment variables. Empty strings count as absent. */
export function parseEnv(variables: Given) {
  const set = setIn(variables);
  const gone = Object.keys(set).filter((name) => GONE.test(name));
  if (gone.length > 0) throw new EnvError(`Remove ${gone.join(", ")}: this version does not have what that sets.`);
  const given = { ...set };
  for (const name of SECRETS) given[name] = readSecret(name, set);
  const v = checked(Variables, given, "The environment is incomplete. `npm start` sets all of it; else set:");
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
  ): ChainEnv => {
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
    /** Configured public origin, without a trailing slash; the domain of Sign-In With Ethereum. */
    origin: originOf(v.NEXTAUTH_URL, v.PORT),
    databaseUrl: v.DATABASE_URL,
    /** Connections this process may have to it for requests and jobs. */
    databasePool: v.DATABASE_POOL,
    /** 32 bytes; every relayer key is HKDF(seed, chain, index). */
    relayerSeed: v.RELAYER_SEED,
    /** The one before; set while what its relayers carry is not settled. */
    relayerSeedPrevious: v.RELAYER_SEED_PREVIOUS,
    /** Accounts of earlier seeds that anchored the audit log: what they anchored still holds. */
    anchorAccounts: v.ANCHOR_ACCOUNTS,
    /** Accounts that send transactions, on each chain. */
    relayers: v.RELAYERS,
    /** The most that any of them offers for a unit of gas, in wei. */
    maxFeePerGas: BigInt(Math.round(v.MAX_FEE_GWEI * 1e9)),
    /**
     * 32 bytes; mixed into what must not be readable from a stolen database alone. Web processes only: a worker has none.
     */
    get serverPepper() {
      return ofWeb("SERVER_PEPPER", v.SERVER_PEPPER);
    },
    /**
     * Another one whose encryption and tags hold too: the one before or the one to come, while a rotation is under way.
     */
    serverPepperPrevious: v.SERVER_PEPPER_PREVIOUS,
    /** Web processes only. */
    get nextAuthSecret() {
      return ofWeb("NEXTAUTH_SECRET", v.NEXTAUTH_SECRET);
    },
    /** Another one whose cookies hold too, as above. */
    nextAuthSecretPrevious: v.NEXTAUTH_SECRET_PREVIOUS,
    /** 32 bytes; encrypts the signing secrets of webhooks. */
    secretsKey: v.SECRETS_KEY,
    /** The one before; set while a rotation is under way. */
    secretsKeyPrevious: v.SECRETS_KEY_PREVIOUS,
    /** How many proxies in front of this process add the caller to `X-Forwarded-For`. */
    trustedProxies: v.TRUSTED_PROXIES,
    chains: {
      test: chain("test", v.RPC_URL_46630, v.LEDGER_ADDRESS_46630, "safe", v.FINALITY_46630),
      live: chain("live", v.RPC_URL_4663, v.LEDGER_ADDRESS_4663, "finalized", v.FINALITY_4663),
    },
    /** Private key that mints and deposits on local chains; absent when no chain is local. */
    faucetKey: v.HALCYON_LOCAL_CHAINS.length > 0 ? v.FAUCET_KEY : undefined,
    approvalWindowSeconds: v.APPROVAL_WINDOW_SECONDS,
    /** Held payments one agent may have open at once. */
    heldPerAgent: v.HELD_PER_AGENT,
    // One's own chain is no one's to drain.
    /** Operations whose gas the service pays, per account, network and UTC day. */
    relayDailyQuota: v.RELAY_DAILY_QUOTA ?? (ownChain ? 1_000_000 : 1_000),
    /** The most gas that all of these may burn. */
    relayDailyGas: v.RELAY_DAILY_GAS ?? (ownChain ? 1_000_000_000_000n : 1_000_000_000n),
    /** What an API key may do, and a session; 0 a second turns the limit off. */
    keyRate: { perSecond: v.RATE_LIMIT_PER_SECOND, burst: v.RATE_LIMIT_BURST },
    /** The same of all keys and sessions of an account and its agents together, on one network. */
    accountRate: { perSecond: v.RATE_LIMIT_ACCOUNT_PER_SECOND, burst: v.RATE_LIMIT_ACCOUNT_BURST },
    accountCaps: {
      keys: v.ACCOUNT_MAX_KEYS,
      agents: v.ACCOUNT_MAX_AGENTS,
      webhooks: v.ACCOUNT_MAX_WEBHOOKS,
      sessions: v.ACCOUNT_MAX_SESSIONS,
      streams: v.ACCOUNT_MAX_STREAMS,
    } satisfies AccountCaps,
    /** Requests a minute one client address may make, by what they ask for. */
    addressRates: {
      sign_in: v.RATE_LIMIT_SIGN_IN ?? (ownChain ? 100_000 : 60),
      sign_up: v.RATE_LIMIT_SIGN_UP ?? (ownChain ? 100_000 : 10),
      faucet: v.RATE_LIMIT_FAUCET ?? (ownChain ? 100_000 : 10),
      facilitator: v.RATE_LIMIT_FACILITATOR ?? (ownChain ? 100_000 : 600),
      oauth: v.RATE_LIMIT_OAUTH ?? (ownChain ? 100_000 : 60),
      public: v.RATE_LIMIT_PUBLIC ?? (ownChain ? 100_000 : 1_200),
      failed_keys: v.RATE_LIMIT_FAILED_KEYS ?? (ownChain ? 100_000 : 60),
    } satisfies Record<AddressLimit, number>,
    /** Where `/metrics` is served to Prometheus; undefined: nowhere. */
    ...(v.METRICS_PORT === undefined ? {} : { metrics: { host: v.METRICS_HOST, port: v.METRICS_PORT } }),
    /**
     * Where a worker serves `/healthz` and `/readyz`, on `host`; undefined: nowhere. Web processes have them on theirs.
     */
    healthPort: v.HEALTH_PORT,
    /** Present when there is an OpenTelemetry collector: the share of requests that are traced, 0 to 1. */
    ...(v.OTEL_EXPORTER_OTLP_ENDPOINT ? { otlp: { traceRatio: v.OTEL_TRACES_SAMPLER_ARG } } : {}),
    /** Lets people sign in by WalletConnect: a third party that then sees their browsers. */
    walletConnectProjectId: v.WALLETCONNECT_PROJECT_ID,
    /**
     * At the end of a process: how long it says that it is not ready and still serves; how long requests may then take.
     */
    shutdown: { noticeMs: v.SHUTDOWN_NOTICE_SECONDS * 1000, drainMs: v.SHUTDOWN_DRAIN_SECONDS * 1000 },
    /** Where `/.well-known/security.txt` sends people who found a vulnerability of this installation: https or mailto. */
    securityContact: v.SECURITY_CONTACT,
    /** A receipt that visitors without an account may check; undefined: none is published. */
    sampleReceipt: v.SAMPLE_RECEIPT,
    /** The provider that verifies identities on the live network; undefined: none, and a sandbox on local chains. */
    ...(v.STRIPE_IDENTITY_KEY && v.STRIPE_IDENTITY_WEBHOOK_SECRET
      ? {
          identity: {
            apiUrl: v.STRIPE_API_URL,
            apiKey: v.STRIPE_IDENTITY_KEY,
            webhookSecret: v.STRIPE_IDENTITY_WEBHOOK_SECRET,
          },
        }
      : {}),
    /** Screens recipients of public payments on the live network; undefined: no one does. */
    ...(v.CHAINALYSIS_API_KEY ? { screening: { apiUrl: v.CHAINALYSIS_API_URL, apiKey: v.CHAINALYSIS_API_KEY } } : {}),
    /** Where email goes out; undefined: nowhere, and on local chains into the inbox of the local stack. */
    ...mailEnv(v, ownChain),
    /**
     * 32 bytes; the private key that identifies this installation to push services (VAPID, RFC 8292); undefined: no push.
     */
    vapidKey: v.VAPID_PRIVATE_KEY,
    /** Proving threads of this process; undefined leaves the choice to the number of cores. */
    proverWorkers: v.PROVER_WORKERS,
    /** Proofs that may wait in this process before further ones are refused; undefined: 64 per thread. */
    proverQueue: v.PROVER_QUEUE,
    /** Requests that a web process serves at once, before it refuses some (lib/http/admission.ts). */
    requestsInFlight: v.REQUESTS_IN_FLIGHT,
  };
}

/** What web and worker are set to: what {@link parseEnv} reads of their variables. */
export type Env = ReturnType<typeof parseEnv>;

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

/** The peppers whose encryption and tags hold, the one that makes new ones first. Web processes only. */
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
