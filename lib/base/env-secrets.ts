import { readFileSync } from "node:fs";

/** Thrown when the environment lacks something; names each variable and what it must be, never its value. */
export class EnvError extends Error {
  override readonly name = "EnvError";
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

/** What may lie in a file that `<name>_FILE` names, as orchestrators mount secrets, instead of in the environment. */
export const SECRETS = [
  "DATABASE_URL",
  // Addresses of nodes often hold their provider's key.
  "RPC_URL_46630",
  "RPC_URL_4663",
  "RPC_CHECK_URL_46630",
  "RPC_CHECK_URL_4663",
  ...RANDOM,
  "STRIPE_IDENTITY_KEY",
  "STRIPE_IDENTITY_WEBHOOK_SECRET",
  "CHAINALYSIS_API_KEY",
  "SMTP_URL",
  "VAPID_PRIVATE_KEY",
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
  const encrypted = variables[`${name}_KMS`];
  if ([file, encrypted, variables[name]].filter(Boolean).length > 1) {
    throw new EnvError(`Set ${name}, ${name}_FILE or ${name}_KMS, and no two of them.`);
  }
  if (encrypted) return opened(name, encrypted);
  if (!file) return variables[name] || undefined;
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    throw new EnvError(`${name}_FILE names a file that cannot be read.`);
  }
}

// Next bundles routes separately: what was opened at the start has to be found by all of them.
const shared = globalThis as typeof globalThis & { halcyonOpened?: Map<string, string> };

/**
 * The secrets of a process that a KMS has to decrypt: `<name>_KMS` holds what `aws kms encrypt` returned, in base64.
 */
export function encryptedSecrets(variables: Record<string, string | undefined>): { name: string; encrypted: string }[] {
  return [...SECRETS, "MIGRATION_DATABASE_URL"].flatMap((name) => {
    const encrypted = variables[`${name}_KMS`];
    return encrypted ? [{ name, encrypted }] : [];
  });
}

/** Keeps a secret that the KMS has decrypted, in this process's memory alone. */
export function keepDecrypted(name: string, encrypted: string, secret: string): void {
  shared.halcyonOpened ??= new Map();
  shared.halcyonOpened.set(`${name}/${encrypted}`, secret);
}

function opened(name: string, encrypted: string): string {
  const secret = shared.halcyonOpened?.get(`${name}/${encrypted}`);
  if (secret === undefined) throw new EnvError(`${name}_KMS was not decrypted before it was read.`);
  return secret;
}

/**
 * Of 64 random hex digits 16 differ, of 32 random characters of base64 some 25. Fewer than this: once in 10^12 keys.
 */
const LEAST_DISTINCT = 8;

/** @throws EnvError that names each value which is no random one, or which is used twice */
export function refuseWeak(given: Record<string, string | undefined>): void {
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
