import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { z } from "zod";
import { EnvError, readSecret, SECRETS } from "./env-secrets";
import { certificate, checked, type Given, pem, setIn, tlsKey, type Values, Variables } from "./env-variables";

/** Where provers are, and what shows them that the server asks. PEM texts. */
export interface RemoteProverEnv {
  url: string;
  ca: string;
  cert: string;
  key: string;
  /** Ed25519. */
  signingKey: KeyObject;
}

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

/** The fleet of provers that web and worker are set to, if any. */
export function remoteProver(v: Values): { prover?: RemoteProverEnv } {
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
  shutdown: { noticeMs: number; drainMs: number };
  workers?: number;
  queue?: number;
  ca: string;
  cert: string;
  key: string;
  /** The public key of the servers that may ask. */
  signer: KeyObject;
}

/** What a prover must not have: with it, someone who takes one over has more than what it proves. */
const NOT_FOR_PROVERS = [
  ...SECRETS.filter((name) => !name.startsWith("PROVER_TLS_")),
  "MIGRATION_DATABASE_URL",
  "BACKUP_DATABASE_URL",
];

/**
 * Reads and checks the environment of a prover.
 *
 * @throws EnvError also for one that holds secrets of the service
 */
export function parseProverEnv(variables: Given): ProverEnv {
  const given = setIn(variables);
  const extra = NOT_FOR_PROVERS.filter((name) => ["", "_FILE", "_KMS"].some((end) => given[`${name}${end}`]));
  if (extra.length > 0)
    throw new EnvError(`A prover has no use for ${extra.join(", ")}: remove what it should not know.`);
  const names = ["PROVER_TLS_CA", "PROVER_TLS_CERT", "PROVER_TLS_KEY", "PROVER_SIGNER"] as const;
  for (const name of names) given[name] = readSecret(name, given);
  const v = checked(ProverVariables, given, "The environment of a prover is incomplete. Set:");
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
