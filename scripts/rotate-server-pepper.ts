import { closeDb } from "@/db/client";
import { reencryptWraps } from "@/lib/accounts/keys/reencrypt-wraps";
import { reencryptWallets } from "@/lib/agents/reencrypt-wallets";
import { env } from "@/lib/base/env";
import { StackError } from "./stack/config";
import { printable } from "./stack/printable";
import { adoptRunningStack } from "./stack/running-env";

// `npm run rotate-server-pepper`: encrypts what API keys wrap, and agents' wallets, under SERVER_PEPPER where they still
// use SERVER_PEPPER_PREVIOUS (docs/guides/self-hosting.md). Safe to repeat, and to run while the service runs.
try {
  await adoptRunningStack();
  if (!env().serverPepperPrevious) {
    throw new StackError(
      "Set SERVER_PEPPER_PREVIOUS to the pepper before. Without it there is nothing to encrypt again from.",
    );
  }
  const [keys, wallets] = [await reencryptWraps(), await reencryptWallets()];
  const [reencrypted, unreadable] = [keys.reencrypted + wallets.reencrypted, keys.unreadable + wallets.unreadable];
  process.stdout.write(
    `${keys.reencrypted} API keys and ${wallets.reencrypted} agents' wallets are encrypted under the new pepper.\n`,
  );
  if (unreadable > 0) {
    throw new StackError(
      `${keys.unreadable} API keys and ${wallets.unreadable} agents' wallets open under neither pepper: keep both, and find the pepper that they were encrypted under.`,
    );
  }
  process.stdout.write(
    reencrypted > 0
      ? "SERVER_PEPPER_PREVIOUS is not needed any more.\n"
      : "None needed it. If SERVER_PEPPER is the new pepper on every process, SERVER_PEPPER_PREVIOUS is not needed any more. If it is still the old one, exchange the two first.\n",
  );
} catch (error) {
  console.error(printable(error));
  process.exitCode = 1;
} finally {
  await closeDb();
}
