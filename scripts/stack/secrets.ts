import { createECDH, randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { StackError } from "./config";
import { writeFileDurably } from "./files";

/**
 * Identifies the ledger, database and formats of a data folder. Increase it when they change without a migration. A
 * folder with another number is then refused before anything starts, instead of being misread.
 */
const FORMAT = 4;

/** Random values created once per installation, in `.halcyon/secrets.json` (mode 0600). */
export interface Secrets {
  format: number;
  /** Unix seconds; also the time of the local chains' first block. */
  createdAt: number;
  relayerSeed: string;
  serverPepper: string;
  nextAuthSecret: string;
  secretsKey: string;
  /** The previous key, until `npm run rotate-secrets-key` is complete. */
  secretsKeyPrevious?: string;
  /** Identifies the installation to push services. */
  vapidKey: string;
  /** Password of the role that owns the database. */
  postgresPassword: string;
  /** Password of the role of web and worker. */
  postgresAppPassword: string;
  /** Deploys and mints on the local chains, and has their whole initial supply of ETH. */
  faucetKey: `0x${string}`;
}

/**
 * Reads the installation's secrets, creating them at the first start.
 *
 * @throws StackError when the folder belongs to a version of Halcyon whose data this one cannot read, or its secrets
 *   are missing
 */
export function loadSecrets(data: string): Secrets {
  const file = path.join(data, "secrets.json");
  if (existsSync(file)) {
    const secrets = JSON.parse(readFileSync(file, "utf8")) as Secrets;
    if (secrets.format === FORMAT) return secrets;
    throw new StackError(
      `${data} holds the accounts and money of another version of Halcyon, which this one cannot read: move or delete that folder, then start again.`,
    );
  }
  for (const kept of ["postgres", "chains"]) {
    if (existsSync(path.join(data, kept))) {
      throw new StackError(
        `${file} is missing, but ${kept}/ beside it was made with it. Restore it, or remove ${data}.`,
      );
    }
  }
  const secrets: Secrets = {
    format: FORMAT,
    createdAt: Math.floor(Date.now() / 1000),
    relayerSeed: randomBytes(32).toString("hex"),
    serverPepper: randomBytes(32).toString("hex"),
    nextAuthSecret: randomBytes(32).toString("base64url"),
    secretsKey: randomBytes(32).toString("hex"),
    vapidKey: newVapidKey(),
    postgresPassword: password(),
    postgresAppPassword: password(),
    faucetKey: `0x${randomBytes(32).toString("hex")}`,
  };
  saveSecrets(data, secrets);
  return secrets;
}

/** Returns a new P-256 private key in base64url. */
function newVapidKey(): string {
  const ecdh = createECDH("prime256v1");
  ecdh.generateKeys();
  // Node drops leading zeros.
  return Buffer.from(ecdh.getPrivateKey("hex").padStart(64, "0"), "hex").toString("base64url");
}

/** Replaces the installation's secrets. */
export function saveSecrets(data: string, secrets: Secrets): void {
  writeFileDurably(path.join(data, "secrets.json"), `${JSON.stringify(secrets, null, 2)}\n`, 0o600);
}

const password = () => randomBytes(24).toString("base64url");
