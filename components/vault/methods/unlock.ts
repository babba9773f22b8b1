import { unlockWithCode } from "@/sdk/backups";
import type { Context } from "@/sdk/context";

/**
 * Opens the account's keys with one signature, or with a recovery code, and compares them with the ledger. They stay in
 * the worker.
 */
export async function unlock(context: Context, input?: { recoveryCode: string }): Promise<void> {
  if (input) await unlockWithCode(context, input.recoveryCode);
  else await context.vault();
}
