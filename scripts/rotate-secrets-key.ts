import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import path from "node:path";
import { closeDb } from "@/db/client";
import { resealTargets } from "@/lib/notifications/reseal-targets";
import { resealSecrets } from "@/lib/webhooks/reseal-secrets";
import { readConfig, StackError } from "./stack/config";
import { adoptRunningStack } from "./stack/running-env";
import { loadSecrets, saveSecrets } from "./stack/secrets";

// `npm run rotate-secrets-key`: a new key for what SECRETS_KEY seals (secrets of webhooks, addresses), in steps that may each be
// repeated. Who sets SECRETS_KEY: set the new one, the old one as SECRETS_KEY_PREVIOUS, restart, run this. Who lets
// `npm start` keep it: run this, restart, run this again.
try {
  const own = Boolean(process.env.SECRETS_KEY);
  await adoptRunningStack();
  if (own) {
    process.stdout.write(`${await reseal()} SECRETS_KEY_PREVIOUS is not needed any more.\n`);
  } else {
    const { data } = readConfig();
    const { secretsKeyPrevious, ...secrets } = loadSecrets(data);
    if (secretsKeyPrevious === undefined) {
      const secretsKey = randomBytes(32).toString("hex");
      saveSecrets(data, { ...secrets, secretsKey, secretsKeyPrevious: secrets.secretsKey });
      process.stdout.write("A new key is made. Restart `npm start`, then run this again.\n");
    } else {
      requireRestarted(data);
      const done = await reseal();
      saveSecrets(data, secrets);
      process.stdout.write(`${done} The key before is gone.\n`);
    }
  }
} catch (error) {
  console.error(error instanceof StackError ? error.message : error);
  process.exitCode = 1;
} finally {
  await closeDb();
}

async function reseal(): Promise<string> {
  const [webhooks, targets] = [await resealSecrets(), await resealTargets()];
  return `The secrets of ${webhooks} webhooks and ${targets} addresses and devices of notifications are sealed under the new key.`;
}

/** Processes older than the key could not open what is sealed under it. */
function requireRestarted(data: string): void {
  const changed = (file: string) => statSync(path.join(data, file)).mtimeMs;
  if (changed("run/supervisor.pid") > changed("secrets.json")) return;
  throw new StackError("A new key is made, but `npm start` runs with the one before. Restart it, then run this again.");
}
