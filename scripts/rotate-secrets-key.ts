import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import path from "node:path";
import { closeDb } from "@/db/client";
import { env } from "@/lib/base/env";
import { reencryptTargets } from "@/lib/events/notifications/reencrypt-targets";
import { reencryptSecrets } from "@/lib/events/webhooks/reencrypt-secrets";
import { readConfig, StackError } from "./stack/config";
import { printable } from "./stack/printable";
import { adoptRunningStack } from "./stack/running-env";
import { loadSecrets, saveSecrets } from "./stack/secrets";

// `npm run rotate-secrets-key`: encrypts under SECRETS_KEY what is under SECRETS_KEY_PREVIOUS (webhook secrets, addresses),
// while the service runs, and may be repeated. If you set SECRETS_KEY yourself, docs/guides/self-hosting.md has the steps.
// If `npm start` keeps the key: run this, restart, and run this again.
const RUN_AGAIN =
  "Once SECRETS_KEY is the new key on every process, run this again. When it reports none, SECRETS_KEY_PREVIOUS is not needed any more.";
const MAYBE_NOT_EXCHANGED =
  "None needed it. If SECRETS_KEY is the new key on every process, SECRETS_KEY_PREVIOUS is not needed any more. If it is still the old one, exchange the two first.";

try {
  const own = Boolean(process.env.SECRETS_KEY);
  await adoptRunningStack();
  if (own) {
    if (!env().secretsKeyPrevious) {
      throw new StackError(
        "Set SECRETS_KEY_PREVIOUS to the key before. Without it there is nothing to encrypt again from.",
      );
    }
    const { words, count } = await encryptAgain();
    process.stdout.write(`${words} ${count > 0 ? RUN_AGAIN : MAYBE_NOT_EXCHANGED}\n`);
  } else {
    const { data } = readConfig();
    const { secretsKeyPrevious, ...secrets } = loadSecrets(data);
    if (secretsKeyPrevious === undefined) {
      const secretsKey = randomBytes(32).toString("hex");
      saveSecrets(data, { ...secrets, secretsKey, secretsKeyPrevious: secrets.secretsKey });
      process.stdout.write("A new key is made. Restart `npm start`, then run this again.\n");
    } else {
      requireRestarted(data);
      const { words } = await encryptAgain();
      saveSecrets(data, secrets);
      process.stdout.write(`${words} The key before is gone.\n`);
    }
  }
} catch (error) {
  console.error(printable(error));
  process.exitCode = 1;
} finally {
  await closeDb();
}

async function encryptAgain(): Promise<{ words: string; count: number }> {
  const [webhooks, targets] = [await reencryptSecrets(), await reencryptTargets()];
  const words = `The secrets of ${webhooks} webhooks and ${targets} addresses and devices of notifications are encrypted under the new key.`;
  return { words, count: webhooks + targets };
}

/**
 * Refuses to go on while processes started before the key was created are running, because they can't decrypt what the
 * new key encrypts.
 */
function requireRestarted(data: string): void {
  const changed = (file: string) => statSync(path.join(data, file)).mtimeMs;
  if (changed("run/supervisor.pid") > changed("secrets.json")) return;
  throw new StackError("A new key is made, but `npm start` runs with the one before. Restart it, then run this again.");
}
