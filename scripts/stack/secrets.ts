import { createECDH, createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import path from "node:path";
import { ROOT, StackError } from "./config";
import { writeFileDurably } from "./files";

/** Increase it when what a data folder holds changes otherwise than by {@link MADE_BY}, and without a migration. */
const FORMAT = 7;
/** Until the first release these change in place, and what was made by another version of them cannot be read. */
const MADE_BY = ["db/migrations/0000_initial.sql", "lib/chain/abi/bytecode.ts"];

/** Identifies the ledger, database and formats of a data folder: one with another is never misread. */
function formatNow(): string {
  const hash = createHash("sha256");
  for (const file of MADE_BY) hash.update(readFileSync(path.join(ROOT, file)));
  return `${FORMAT}.${hash.digest("hex").slice(0, 16)}`;
}

/** Random values created once per installation, in `.halcyon/secrets.json` (mode 0600). */
export interface Secrets {
  format: string;
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
    if (secrets.format === formatNow()) return secrets;
    throw new StackError(
      `${data} holds the accounts and money of another version of Halcyon, which this one cannot read: use that version, or npm start, which moves them aside.`,
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
    format: formatNow(),
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

/** What a supervisor writes before it looks at the rest. */
const OF_SUPERVISOR: readonly string[] = ["logs", "run"];

/**
 * Moves what another version of Halcyon has left in a data folder into a new folder beside it, where that version can
 * read it. Nothing may use the data meanwhile.
 *
 * @returns the new folder; undefined if there was nothing to move
 */
export function moveAside(data: string): string | undefined {
  const file = path.join(data, "secrets.json");
  if (!existsSync(file)) return undefined;
  const { format } = JSON.parse(readFileSync(file, "utf8")) as Partial<Secrets>;
  if (format === formatNow()) return undefined;
  // Whatever else another version keeps in the file. A move that goes on finds the same time.
  const aside = `${data}-of-${statSync(file).mtime.toISOString().slice(0, 19).replaceAll(":", "")}`;
  mkdirSync(aside, { recursive: true, mode: 0o700 });
  // The secrets last: until then the folder is still one of another version, so that a killed move goes on.
  const names = readdirSync(data).filter((name) => !OF_SUPERVISOR.includes(name) && name !== "secrets.json");
  for (const name of [...names, "secrets.json"]) renameSync(path.join(data, name), path.join(aside, name));
  return aside;
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
