import type { Context } from "@/sdk/context";

/** Opens the account's keys with one signature and compares them with the ledger. They stay in the worker. */
export async function unlock(context: Context): Promise<void> {
  await context.vault();
}
